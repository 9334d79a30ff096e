import ev,random,numpy as np,sys,os
from concurrent.futures import ProcessPoolExecutor
prog=os.path.abspath(sys.argv[1]); env=dict(("F3_"+a.split("=")[0],a.split("=")[1]) for a in sys.argv[3:])
def job(a):
    w,x,y,lod=a; n=384
    h,wa=ev.run(prog,w,lod,x,y,n,env=env); wet=np.isfinite(wa)&~np.isnan(wa); lower=walls=0; worst=0
    under=(wet&(wa<=h)).sum(); wh=[]
    for ax in (0,1):
        for s in (1,-1):
            q=np.roll(wa,s,ax); dry=~wet; nb=~np.isnan(q)
            sl=[slice(1,-1)]*2
            m=(dry&nb&(h<q-0.02))[tuple(sl)]; lower+=m.sum()
            d=np.abs(wa-q); m2=(wet&nb&(d>0.5*(1<<lod)+0.5))[tuple(sl)]; walls+=m2.sum()
            if m.any(): wh.append(((q-h)[tuple(sl)][m]).max())
    return w,x,y,lod,int(wet.sum()),int(lower),int(under),int(walls),max(wh,default=0)
if __name__=="__main__":
    rng=random.Random(int(sys.argv[2])); jobs=[]
    for w in ev.WORLDS:
        for k in range(4): 
            lod=rng.choice([0,1,2]); jobs.append((w,rng.randint(-3000000,3000000)>>2<<2,rng.randint(-3000000,3000000)>>2<<2,lod))
    T=np.zeros(4,int)
    with ProcessPoolExecutor(2) as p:
        for r in p.map(job,jobs):
            T+=np.array(r[4:8])
            if r[5] or r[6] or r[7]: print(r)
    print("wet, lower, under, walls:",T)
