import sys,glob,os,numpy as np
from PIL import Image, ImageDraw
def shade(z,s):
    gy,gx=np.gradient(z.astype(float),s); k=1.5*0.25/max(np.hypot(gx,gy).mean(),0.02) if len(sys.argv)>4 else 1.0
    k=min(k,4); gx*=k;gy*=k
    l=np.array([-1,-1,1.2])/np.linalg.norm([-1,-1,1.2])
    return np.clip((-gx*l[0]-gy*l[1]+l[2])/np.sqrt(1+gx*gx+gy*gy),0,1)
def main(out,cand,cls):
    d=float({"4":"4.5"}.get(cls,cls)); fs=sorted(glob.glob(f"{cand}/{cls}/*.npy"))[::3]+sorted(glob.glob(f"{cand}/{cls}/*.npy"))[1::3][:3]
    rs=sorted(glob.glob(f"real/{cls}/*.npy")); tiles=[]
    rng=np.random.default_rng(3)
    for f in fs[:12]: z=np.load(f); tiles.append((os.path.basename(f),shade(z,float(f.rsplit("@",1)[1][:-4]))))
    for f in (rs*6)[:6]:
        z=np.load(f); h,w=z.shape; n=min(192,h,w)
        for _ in range(50):
            y,x=rng.integers(0,h-n+1),rng.integers(0,w-n+1); q=z[y:y+n,x:x+n]
            if np.isfinite(q).all(): break
        t=shade(q,float(f.rsplit("@",1)[1][:-4])); T=np.zeros((192,192)); T[:n,:n]=t; tiles.append(("REAL "+os.path.basename(f),T))
    W=6; n=192; H=(len(tiles)+W-1)//W; im=Image.new("L",(W*(n*5//4+4),H*(n*5//4+4)))
    dr=ImageDraw.Draw(im)
    for i,(nm,t) in enumerate(tiles):
        x,y=(i%W)*(n*5//4+4),(i//W)*(n*5//4+4); im.paste(Image.fromarray((t*255).astype(np.uint8)).resize((n*5//4,n*5//4),Image.LANCZOS),(x,y)); dr.text((x+3,y+2),nm,fill=255)
    im.save(out)
main(*sys.argv[1:4])
