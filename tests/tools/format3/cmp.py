import subprocess,sys,numpy as np,os
T=os.environ.get("T","/work/wt-f3/build/dev/terrane")
SUB=os.environ.get("SUB","").split(",") if os.environ.get("SUB") else None
L=["height","water","flow","shore","relief","plain","plateau","ice","dryness"]
W={"default":("1","0 1 0 0 0 0 0 0"),"alps":("134","0.4 1.15 0.9 0.6 -1 1 -0.4 0"),"fjords":("18","0.3 1.5 1 0.8 -1 1 -1 600"),"badlands":("95","0.6 1.4 -0.7 0.6 0.3 -1 1 0"),"r3":("71003","0.6 1.7 0.6 0.2 -0.2 -0.7 0.1 100")}
N=["land","relief","uplift","hills","plateau","ice","dryness","sea"]
method=sys.argv[1] if len(sys.argv)>1 else "tiled"
import random
rng=random.Random(int(sys.argv[2]) if len(sys.argv)>2 else 5); bad=0;tot=0
for w in W:
    for lod in range(0,9):
        n=rng.choice([1,17,40,64,200]); m=rng.choice([1,13,40,150]); 
        if lod>5: n=min(n,20); m=min(m,20)
        x,y=(rng.randint(-3000000,3000000)>>lod)<<lod,(rng.randint(-3000000,3000000)>>lod)<<lod
        seed,par=W[w]
        a=np.frombuffer(subprocess.run(["/root/f3/land6",seed,"20",*par.split(),str(lod),str(x),str(y),str(n),str(m),",".join(L)],capture_output=True).stdout,"<u4").reshape(9,m,n)
        args=[T,"export","--basis","fluvial","--seed",seed,"--levels","20","--at",f"{x},{y}","--size",f"{n}x{m}","--lod",str(lod),"--layer",",".join(SUB or L),"--backend","cpu","--generator",method,"-q","--force","-o","/tmp/cmp_{layer}.r32"]
        for k,v in zip(N,par.split()): args+=["--"+k,v]
        r=subprocess.run(args,capture_output=True,text=True)
        if r.returncode: print(r.stderr); sys.exit(1)
        b=np.stack([np.fromfile(f"/tmp/cmp_{l}.r32","<u4").reshape(m,n) for l in (SUB or L)])
        if SUB:
            a=a[[L.index(q) for q in SUB]]
        nan=lambda q:((q&0x7f800000)==0x7f800000)&((q&0x7fffff)!=0)
        d=(a!=b)&~(nan(a)&nan(b)); tot+=d.size; bad+=d.sum()
        if d.any(): print(w,lod,x,y,n,m,{l:int(d[k].sum()) for k,l in enumerate(SUB or L) if d[k].any()}, a.view("<f4")[0,0,0],b.view("<f4")[0,0,0],flush=True)
print("different",bad,"of",tot)
