import numpy as np
rng=np.random.default_rng(1)
X=rng.standard_normal((20000,32)).astype(np.float32)
def err(X,R): return ((X-R)**2).mean()
def q40(X,d):
    d=d[:,None]; id=np.where(d!=0,1/d,0)
    q=np.clip(np.rint(X*id),-8,7); return q
amaxi=np.abs(X).argmax(1); m=X[np.arange(len(X)),amaxi]
d0=m/-8
print('ref',err(X,q40(X,d0)*d0[:,None]))
def search(X,cands,refit=False):
    best=np.full(len(X),np.inf)
    for c in cands:
        d=d0*c
        q=q40(X,d)
        if refit:
            d=(X*q).sum(1)/np.maximum((q*q).sum(1),1e-9)
        d=d.astype(np.float16).astype(np.float32)
        e=((X-q*d[:,None])**2).sum(1)
        best=np.minimum(best,e)
    return best.mean()/32
print('1 cand refit',search(X,[1],True))
for n in (3,4,5,6,8,12,16,32):
    for lo,hi in ((0.8,1.15),(0.85,1.1),(0.75,1.2)):
        print(n,lo,hi,search(X,np.linspace(lo,hi,n)),search(X,np.linspace(lo,hi,n),True))
both=[*np.linspace(0.8,1.15,8),*-np.linspace(0.8,1.15,8)]
print('both signs',search(X,both),search(X,both,True))
B=np.array([-127,-104,-83,-65,-49,-35,-22,-10,1,13,25,38,53,69,89,113],np.float32)
M=np.array([0,1,2,3,4,6,8,12,-1,-2,-3,-4,-6,-8,-12],np.float32)
def book(X,B,d0,cands,refit=True):
    best=np.full(len(X),np.inf)
    Bs=np.sort(B); mid=(Bs[1:]+Bs[:-1])/2
    for c in cands:
        d=d0*c
        v=Bs[np.searchsorted(mid,X/d[:,None])]
        if refit: d=(X*v).sum(1)/np.maximum((v*v).sum(1),1e-9)
        e=((X-v*d[:,None])**2).sum(1)
        best=np.minimum(best,e)
    return best.mean()/32
d1=m/-127
print('iq4nl plain',book(X,B,d1,[1],False),book(X,B,d1,[1],True))
for n in (3,5,8,16): print('iq4nl',n,book(X,B,d1,np.linspace(0.75,1.2,n)),book(X,B,d1,[*np.linspace(0.75,1.2,n),*-np.linspace(0.75,1.2,n)]))
amax=np.abs(m)
e=np.floor(np.log2(amax))-2
d2=2.0**e/2*1.0
print('mxfp4 plain ocp',book(X,M,(2.0**(np.floor(np.log2(amax))-2))/2,[1],False), 'two',book(X,M,(2.0**(np.floor(np.log2(amax))-2))/2,[0.5,1,2],False))
