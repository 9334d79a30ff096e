import sys,os,subprocess,numpy as np
from concurrent.futures import ProcessPoolExecutor
import ev
def job(a):
    prog,w,lod,x,y,n,env=a
    try: h,wa=ev.run(prog,w,lod,(x-(n<<lod)//2)>>lod<<lod,(y-(n<<lod)//2)>>lod<<lod,n,env=env)
    except Exception as e: return str(e)
    z=np.where(wa>h,wa,h).astype("<f4"); f=f"/tmp/h_{w}_{lod}_{os.getpid()}"; z.tofile(f+".r32"); (wa>h).astype(np.uint8).tofile(f+".u8")
    sea={"fjords":600,"r3":100}.get(w,0)
    r=subprocess.run([sys.executable,"/work/shared/land/judge.py",f+".r32",str(n),str(n),str(1<<lod),"--lakes",f+".u8","--sea",str(sea+0.01)],capture_output=True,text=True)
    return f"{w:9s} lod {lod}: {(r.stdout.strip() or r.stderr[-200:])[:150]}"
if __name__=="__main__":
    prog=os.path.abspath(sys.argv[1]); lods=[int(c) for c in sys.argv[2].split(",")]; worlds=sys.argv[3].split(","); env=dict(("F3_"+a.split("=")[0],a.split("=")[1]) for a in sys.argv[4:])
    P={}
    for w,x,y in ev.places(prog)["90"]: P.setdefault(w,[]).append((x+9000*3,y+9000*3))
    with ProcessPoolExecutor(2) as pool:
        for r in pool.map(job,[(prog,w,l,*P[w][1],1024,env) for l in lods for w in worlds]): print(r,flush=True)
