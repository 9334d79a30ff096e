"""screen.py PROG CLASSES(comma) VARIANT...   a variant: 'A=1,B=2' ('-' for none)"""
import sys, os, numpy as np
from concurrent.futures import ProcessPoolExecutor
import ev
def job(a):
    prog,c,v=a
    os.environ["OMP_NUM_THREADS"]="1"
    env={} if v=="-" else {"F3_"+k:x for k,x in (t.split("=") for t in v.split(","))}
    P=ev.places(prog)[c]; d=f"scr/{os.path.basename(prog)}_{v.replace(',','_')}/{c}"; os.makedirs(d,exist_ok=True)
    for i,(w,x,y) in enumerate(P): np.save(f"{d}/{w}-{i%ev.PER}@{ev.CL[c][2]}.npy",ev.one((prog,c,w,x,y,env,1)))
    s=ev.judge({"4":4.5}.get(c,float(c)),d,top=7).split("\n"); 
    short=[l.split()[0]+" "+l.split()[-1] for l in s[1:] if l.strip()]
    return f"{v:34s} {s[0][:90]}\n      {'  '.join(short)}"
if __name__=="__main__":
    prog=os.path.abspath(sys.argv[1]); jobs=[(prog,c,v) for c in sys.argv[2].split(",") for v in sys.argv[3:]]
    with ProcessPoolExecutor(2) as pool:
        for r in pool.map(job,jobs): print(r,flush=True)
