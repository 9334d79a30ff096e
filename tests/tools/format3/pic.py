import ev,sys,numpy as np
from PIL import Image
prog,w,x,y,lod,n,out=sys.argv[1],sys.argv[2],*map(int,sys.argv[3:7]),sys.argv[7]
z=int(sys.argv[8]) if len(sys.argv)>8 else 1
h,wa,fl=ev.run(prog,w,lod,x,y,n,"height,water,flow"); s=1<<lod
zz=np.where(wa>h,wa,h); gy,gx=np.gradient(zz.astype(float),s); l=np.array([-1,-1,1.2])/np.linalg.norm([-1,-1,1.2])
sh=np.clip((-gx*l[0]-gy*l[1]+l[2])/np.sqrt(1+gx*gx+gy*gy),0,1)
im=np.stack([sh*255]*3,-1).astype(np.uint8); wet=wa>h; im[wet]=(im[wet]*[.4,.6,.6]+[0,60,120]).clip(0,255)
Image.fromarray(im.astype(np.uint8)).resize((n*z,n*z),Image.LANCZOS).save(out)
print(h.min(),h.max(),wet.mean())
