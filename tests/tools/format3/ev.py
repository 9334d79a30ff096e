"""ev.py PROG OUT CLASS... [F3_X=val ...]: generate candidate windows at fixed places and judge"""
import sys, os, subprocess, json, random, numpy as np, pickle, argparse, time
from concurrent.futures import ProcessPoolExecutor
import realness as R
WORLDS={
 "default":("1","0 1 0 0 0 0 0 0"), "alps":("134","0.4 1.15 0.9 0.6 -1 1 -0.4 0"), "fjords":("18","0.3 1.5 1 0.8 -1 1 -1 600"),
 "badlands":("95","0.6 1.4 -0.7 0.6 0.3 -1 1 0"), "steppe":("101","0.5 0.9 -0.6 -0.5 -0.8 -0.6 0.45 0"),
 "r1":("71001","0.3 1.3 0.35 0.5 -0.4 0.3 -0.2 0"), "r2":("71002","0.5 0.8 -0.3 0.7 0.5 -0.5 0.4 0"),
 "r3":("71003","0.6 1.7 0.6 0.2 -0.2 -0.7 0.1 100"), "r4":("71004","0.2 1.1 -0.1 0.9 -0.9 0.6 -0.6 0")}
CL={"90":(5,3,96,192),"30":(4,2,32,192),"10":(1,5,10,192),"4":(0,5,5,192),"1":(0,1,1,192)}
PER=3
def run(prog,world,lod,x,y,n,layers="height,water",env={}):
    seed,par=WORLDS[world]; e=dict(os.environ); e.update(env)
    out=subprocess.run([prog,seed,"20",*par.split(),str(lod),str(x),str(y),str(n),str(n),layers],capture_output=True,env=e)
    if out.returncode: raise RuntimeError(out.stderr[-300:])
    k=layers.count(",")+1
    return np.frombuffer(out.stdout,"<f4").reshape(k,n,n)
def box(z,k): return z if k==1 else z.reshape(z.shape[0]//k,k,z.shape[1]//k,k).mean((1,3))
def places(prog):
    if os.path.exists("places.json"): return json.load(open("places.json"))
    P={}
    for c,(lod,k,sp,n) in CL.items():
        rng=random.Random(4711*int(c)); P[c]=[]; span=n*k<<lod
        for w in WORLDS:
            got=tries=0
            while got<PER:
                tries+=1; cx,cy=rng.randint(-3000000,3000000),rng.randint(-3000000,3000000)
                L=max(6,lod); x0,y0=((cx>>L)-12)<<L,((cy>>L)-12)<<L
                h,wa=run(prog,w,L,x0,y0,24)
                if (wa>h).mean()>0.15 or h.std()<2: continue
                x,y=(cx-span//2)>>lod<<lod,(cy-span//2)>>lod<<lod
                P[c].append((w,x,y)); got+=1
            print(c,w,tries,flush=True)
    json.dump(P,open("places.json","w")); return P
def one(a):
    prog,c,w,x,y,env,scale=a; lod,k,sp,n=CL[c]
    h,wa=run(prog,w,lod,x,y,n*k,env=env)
    return box(np.where(wa>h,wa,h),k).astype(np.float32)
def generate(prog,c,env,pool):
    P=places(prog)[c]
    return list(pool.map(one,[(prog,c,w,x,y,env,1) for w,x,y in P]))
def real_table(cls,blur,a):
    f=f"realcache_{cls}.pkl"
    if os.path.exists(f): return pickle.load(open(f,"rb"))
    rng=np.random.default_rng(a.seed); lo,hi=cls/1.31,cls*1.31
    Rl=R.patches("real",lo,hi,a.patch,True,a.most,rng); n1,X1=R.table(Rl,a.blur)
    d=(Rl,n1,X1); pickle.dump(d,open(f,"wb")); return d
def judge(cls,folder,top=12,trees=80):
    a=argparse.Namespace(seed=0,patch=96,most=24,blur=1.0,trees=trees)
    Rl,n1,X1=real_table(cls,1.0,a); rng=np.random.default_rng(1)
    C=R.patches(folder,cls/1.31,cls*1.31,a.patch,False,12,rng); C=[C[j] for j in R.match(Rl,C,rng)]
    _,X0=R.table(C,a.blur); X=np.r_[X1,X0]; y=np.r_[np.ones(len(Rl)),np.zeros(len(C))].astype(int); g=np.array([r[0] for r in Rl]+["T:"+c[0] for c in C])
    A,ci,Pp,drop=R.judge(n1,X,y,g,a,rng); oneF=R.single(n1,X,y,g)
    gap=np.sqrt(np.mean([min(abs(t[5]),6)**2 for t in oneF])); far=sum(t[0]>.8 for t in oneF)
    s=f"{cls:g} m: AUC {A:.3f} ({ci[0]:.2f}..{ci[1]:.2f}) gap {gap:.2f} tell {far}  n {len(Rl)}/{len(C)}  "+" ".join(f"{G} {v:.2f}" for G,v in sorted(drop.items(),key=lambda t:-t[1]))+"\n"
    for q,n,u,q1,q0,d in oneF[:top]: s+=f"   {n:16s} AUC {u:.2f}  real {q1[1]:8.3f} ({q1[0]:.2f}..{q1[2]:.2f})  cand {q0[1]:8.3f} ({q0[0]:.2f}..{q0[2]:.2f})  d {d:+.1f}\n"
    return s
def main():
    prog=os.path.abspath(sys.argv[1]); out=sys.argv[2]; cs=[a for a in sys.argv[3:] if "=" not in a]; env=dict(a.split("=") for a in sys.argv[3:] if "=" in a)
    os.makedirs(out,exist_ok=True)
    with ProcessPoolExecutor(2) as pool:
        fs=[]
        for c in cs:
            t=time.time(); zs=generate(prog,c,env,pool); d=f"{out}/{c}"; os.makedirs(d,exist_ok=True)
            for (w,x,y),z,i in zip(places(prog)[c],zs,range(999)): np.save(f"{d}/{w}-{i%PER}@{CL[c][2]}.npy",z)
            print(f"{c}: made in {time.time()-t:.0f} s",flush=True)
            fs.append(pool.submit(judge,{"4":4.5}.get(c,float(c)),d))
        for f in fs: print(f.result(),flush=True)
if __name__=="__main__": main()
