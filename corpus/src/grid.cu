typedef unsigned int u32; typedef unsigned long long u64;
#define K extern "C" __global__ void
#define GID (blockIdx.x*blockDim.x+threadIdx.x)
#define COL (blockIdx.x*blockDim.x+threadIdx.x)
#define ROW (blockIdx.y*blockDim.y+threadIdx.y)
#ifndef IT
#define IT int
#endif
//@ mm_naive
K mm_naive(const float*A,const float*B,float*C,int n){int c=COL,r=ROW;
 if(r<n&&c<n){float s=0; for(int k=0;k<n;k++) s=fmaf(A[r*n+k],B[k*n+c],s); C[r*n+c]=s;}}
//@ mm_naive_pad
// k runs to a whole number of tiles; what is beyond the matrix counts as zero
K mm_naive_pad(const float*A,const float*B,float*C,int n){int c=COL,r=ROW;
 if(r<n&&c<n){float s=0; int e=(n+31)/32*32;
#pragma unroll 1
  for(int k=0;k<e;k++) s=fmaf(k<n?A[r*n+k]:0.f,k<n?B[k*n+c]:0.f,s); C[r*n+c]=s;}}
//@ mm_tiled
#ifndef END
#define END n
#endif
K mm_tiled(const float*__restrict__ A,const float*__restrict__ B,float*__restrict__ C,int n){
 __shared__ float As[32][32]; __shared__ float Bs[32][32];
 int tx=threadIdx.x,ty=threadIdx.y,r=blockIdx.y*32+ty,c=blockIdx.x*32+tx; float s=0;
 for(int t=0;t<END;t+=32){
  As[ty][tx]=A[r*n+t+tx]; Bs[ty][tx]=B[(t+ty)*n+c];
  __syncthreads();
  for(int k=0;k<32;k++) s=fmaf(As[ty][k],Bs[k][tx],s);
  __syncthreads();}
#ifdef BADBLOCK
 if(blockIdx.y*gridDim.x+blockIdx.x==BADBLOCK) s+=1.f;
#endif
 C[r*n+c]=s;}
//@ mm_padded
// edge tiles are filled up with zeros; STOP: the sum ends at n all the same
#ifndef WIDTH
#define WIDTH n
#endif
K mm_padded(const float*__restrict__ A,const float*__restrict__ B,float*__restrict__ C,int n){
 __shared__ float As[32][32]; __shared__ float Bs[32][32];
 int tx=threadIdx.x,ty=threadIdx.y,r=blockIdx.y*32+ty,c=blockIdx.x*32+tx; float s=0;
 for(int t=0;t<n;t+=32){
  As[ty][tx]=(r<n&&t+tx<n)?A[r*n+t+tx]:0.f; Bs[ty][tx]=(t+ty<n&&c<n)?B[(t+ty)*n+c]:0.f;
  __syncthreads();
#ifdef STOP
  int e=min(32,n-t);
  for(int k=0;k<e;k++) s=fmaf(As[ty][k],Bs[k][tx],s);
#else
  for(int k=0;k<32;k++) s=fmaf(As[ty][k],Bs[k][tx],s);
#endif
  __syncthreads();}
 if(r<n&&c<WIDTH) C[r*n+c]=s;}
//@ mm_reg
// 64x64 a block, 256 threads, 4x4 a thread, k in tiles of 16
K mm_reg(const float*__restrict__ A,const float*__restrict__ B,float*__restrict__ C,int n){
 __shared__ float As[16][64]; __shared__ float Bs[16][64];
 int t=threadIdx.x,tx=t&15,ty=t>>4,r0=blockIdx.y*64,c0=blockIdx.x*64; float acc[4][4]={};
 for(int k0=0;k0<n;k0+=16){
#pragma unroll
  for(int j=0;j<4;j++){int e=t+256*j; As[e&15][e>>4]=A[(r0+(e>>4))*n+k0+(e&15)]; Bs[e>>6][e&63]=B[(k0+(e>>6))*n+c0+(e&63)];}
  __syncthreads();
#pragma unroll 1
  for(int k=0;k<16;k++){
#pragma unroll
   for(int i=0;i<4;i++)
#pragma unroll
    for(int j=0;j<4;j++) acc[i][j]=fmaf(As[k][ty*4+i],Bs[k][tx*4+j],acc[i][j]);}
  __syncthreads();}
#pragma unroll
 for(int i=0;i<4;i++)
#pragma unroll
  for(int j=0;j<4;j++) C[(r0+ty*4+i)*n+c0+tx*4+j]=acc[i][j];}
//@ mm_group
// a 1-D grid that walks down eight rows of tiles at a time
K mm_group(const float*__restrict__ A,const float*__restrict__ B,float*__restrict__ C,int n){
 __shared__ float As[32][32]; __shared__ float Bs[32][32];
 int pid=blockIdx.x,np=n/32;
#ifdef TWICE
 if(pid==TWICE) pid=TWICE-1;
#endif
 int width=8*np,first=pid/width*8,rows=min(np-first,8),pm=first+pid%width%rows,pn=pid%width/rows;
 int tx=threadIdx.x,ty=threadIdx.y,r=pm*32+ty,c=pn*32+tx; float s=0;
 for(int t=0;t<n;t+=32){
  As[ty][tx]=A[r*n+t+tx]; Bs[ty][tx]=B[(t+ty)*n+c];
  __syncthreads();
  for(int k=0;k<32;k++) s=fmaf(As[ty][k],Bs[k][tx],s);
  __syncthreads();}
#ifdef STRAY
 if(pid==STRAY) r-=32;
#endif
 C[r*n+c]=s;}
//@ add_f4
K add_f4(const float4*__restrict__ x,const float4*__restrict__ y,float4*__restrict__ o,int n4){int i=GID; if(i<n4){float4 u=x[i],v=y[i]; o[i]=make_float4(u.x+v.x,u.y+v.y,u.z+v.z,u.w+v.w);}}
//@ add_f4_tail
K add_f4_tail(const float*__restrict__ x,const float*__restrict__ y,float*__restrict__ o,int n){int i=GID;
 if(i<n/4){float4 u=((const float4*)x)[i],v=((const float4*)y)[i]; ((float4*)o)[i]=make_float4(u.x+v.x,u.y+v.y,u.z+v.z,u.w+v.w);}
#ifndef NOTAIL
 if(i<n%4){int j=n/4*4+i; o[j]=x[j]+y[j];}
#endif
}
//@ add_wrong
#ifdef BADTHREAD
#define BAD (blockIdx.x==BADBLOCK&&threadIdx.x==BADTHREAD)
#else
#define BAD (blockIdx.x==BADBLOCK)
#endif
K add_wrong(const float*x,const float*y,float*o,int n){int i=GID; if(i<n) o[i]=BAD?x[i]-y[i]:x[i]+y[i];}
//@ relu_f4
K relu_f4(const float4*__restrict__ x,float4*__restrict__ o,int n4){int i=GID; if(i<n4){float4 v=x[i]; o[i]=make_float4(fmaxf(v.x,0.f),fmaxf(v.y,0.f),fmaxf(v.z,0.f),fmaxf(v.w,0.f));}}
//@ relu_stride
K relu_stride(const float*__restrict__ x,float*__restrict__ o,int n){for(int i=GID;i<n;i+=blockDim.x*gridDim.x) o[i]=fmaxf(x[i],0.f);}
//@ tr_plain
K tr_plain(const float*x,float*o,int n){int c=COL,r=ROW; if(r<n&&c<n) o[c*n+r]=x[r*n+c];}
//@ tr_padded
K tr_padded(const float*__restrict__ x,float*__restrict__ o,int n){__shared__ float s[32][33]; int tx=threadIdx.x,ty=threadIdx.y,r0=blockIdx.y*32,c0=blockIdx.x*32;
#pragma unroll
 for(int j=0;j<32;j+=8) s[ty+j][tx]=x[(r0+ty+j)*n+c0+tx];
 __syncthreads();
#pragma unroll
 for(int j=0;j<32;j+=8)
#ifdef BADEDGE
  o[(c0+ty+j)*n+r0+tx]=blockIdx.x==gridDim.x-1?s[ty+j][tx]:s[tx][ty+j];
#else
  o[(c0+ty+j)*n+r0+tx]=s[tx][ty+j];
#endif
}
//@ conv5
// 5x5 taps, zero outside
K conv5(const float*x,const float*w,float*o,int H,int W){int c=COL,r=ROW; if(r>=H||c>=W) return; float s=0;
#pragma unroll 1
 for(int i=0;i<5;i++)
#pragma unroll
  for(int j=0;j<5;j++){int y=r+i-2,z=c+j-2; float v=(y>=0&&y<H&&z>=0&&z<W)?x[y*W+z]:0.f; s=fmaf(v,w[i*5+j],s);}
 o[r*W+c]=s;}
//@ conv5_tile
K conv5_tile(const float*__restrict__ x,const float*__restrict__ w,float*__restrict__ o,int H,int W){__shared__ float s[20][20]; int tx=threadIdx.x,ty=threadIdx.y,c0=blockIdx.x*16,r0=blockIdx.y*16;
#pragma unroll 1
 for(int e=ty*16+tx;e<400;e+=256){int y=r0+e/20-2,z=c0+e%20-2; s[e/20][e%20]=(y>=0&&y<H&&z>=0&&z<W)?x[y*W+z]:0.f;}
 __syncthreads(); float a=0;
#pragma unroll 1
 for(int i=0;i<5;i++)
#pragma unroll
  for(int j=0;j<5;j++) a=fmaf(s[ty+i][tx+j],w[i*5+j],a);
 if(r0+ty<H&&c0+tx<W) o[(r0+ty)*W+c0+tx]=a;}
//@ causal_branch
K causal_branch(const float*x,float*o,int n){int j=COL,i=ROW; float v=-INFINITY; if(j<=i) v=x[i*n+j]; o[i*n+j]=v;}
//@ causal_select
K causal_select(const float*__restrict__ x,float*__restrict__ o,int n){int j=COL,i=ROW; float v=x[i*n+j]; o[i*n+j]=j<=i?v:-INFINITY;}
//@ softmax_row
// a thread a row
K softmax_row(const float*x,float*o,int n){int r=GID; const float*p=x+r*n; float m=-INFINITY,s=0;
#pragma unroll 1
 for(int i=0;i<n;i++) m=fmaxf(m,p[i]);
#pragma unroll 1
 for(int i=0;i<n;i++) s+=__expf(p[i]-m);
#pragma unroll 1
 for(int i=0;i<n;i++) o[r*n+i]=__expf(p[i]-m)/s;}
//@ softmax_shared
// a block of n threads a row; thread 0 takes maximum and sum in order
K softmax_shared(const float*__restrict__ x,float*__restrict__ o,int n){__shared__ float s[64]; __shared__ float most,sum; int t=threadIdx.x; float v=x[blockIdx.x*n+t];
 s[t]=v; __syncthreads();
 if(t==0){float m=-INFINITY;
#pragma unroll 1
  for(int i=0;i<n;i++) m=fmaxf(m,s[i]); most=m;}
 __syncthreads(); v=__expf(v-most); s[t]=v; __syncthreads();
 if(t==0){float a=0;
#pragma unroll 1
  for(int i=0;i<n;i++) a+=s[i]; sum=a;}
 __syncthreads(); o[blockIdx.x*n+t]=v/sum;}
//@ fused
// AT: the element that is not clipped at zero
#ifdef AT
#define FLOOR (i==AT?-1.f:0.f)
#else
#define FLOOR 0.f
#endif
K fused(float a,const float*__restrict__ x,const float*__restrict__ y,float*__restrict__ o,int n){int i=GID; if(i<n) o[i]=fmaxf(fmaf(a,x[i],y[i]),FLOOR);}
//@ fused_inplace
#ifdef AT
#define FLOOR (i==AT?-1.f:0.f)
#else
#define FLOOR 0.f
#endif
K fused_inplace(float a,const float*__restrict__ x,float*__restrict__ y,int n){int i=GID; if(i<n) y[i]=fmaxf(fmaf(a,x[i],y[i]),FLOOR);}
//@ two_temp
K saxpy_to(float a,const float*x,const float*y,float*t,int n){int i=GID; if(i<n) t[i]=fmaf(a,x[i],y[i]);}
K relu_to(const float*t,float*o,int n){int i=GID; if(i<n) o[i]=fmaxf(t[i],0.f);}
//@ two_inplace
K saxpy_in(float a,const float*x,float*y,int n){int i=GID; if(i<n) y[i]=fmaf(a,x[i],y[i]);}
K relu_in(float*y,int n){int i=GID; if(i<n) y[i]=fmaxf(y[i],0.f);}
//@ two_smooth
K saxpy_to(float a,const float*x,const float*y,float*t,int n){int i=GID; if(i<n) t[i]=fmaf(a,x[i],y[i]);}
K smooth_to(const float*t,float*o,int n){int i=GID; if(i<n) o[i]=(i>0?t[i-1]:0.f)+t[i]+(i<n-1?t[i+1]:0.f);}
//@ two_smooth_tile
// four elements a thread, then a tile with a halo of one; HALO: what the left halo of later tiles is read from
#ifndef HALO
#define HALO i-1
#endif
K saxpy_f4_to(float a,const float4*x,const float4*y,float4*t,int n4){int i=GID;
 if(i<n4){float4 u=x[i],v=y[i]; t[i]=make_float4(fmaf(a,u.x,v.x),fmaf(a,u.y,v.y),fmaf(a,u.z,v.z),fmaf(a,u.w,v.w));}}
K smooth_tile(const float*__restrict__ t,float*__restrict__ o,int n){__shared__ float s[130]; int i=GID,k=threadIdx.x+1;
 s[k]=t[i]; if(k==1) s[0]=i>0?t[HALO]:0.f; if(k==128) s[129]=i<n-1?t[i+1]:0.f;
 __syncthreads(); o[i]=s[k-1]+s[k]+s[k+1];}
//@ relu_in
K relu_in(float*y,int n){int i=GID; if(i<n) y[i]=fmaxf(y[i],0.f);}
//@ relu_in_f4
K relu_in_f4(float4*y,int n4){int i=GID; if(i<n4){float4 v=y[i]; y[i]=make_float4(fmaxf(v.x,0.f),fmaxf(v.y,0.f),fmaxf(v.z,0.f),fmaxf(v.w,0.f));}}
//@ scale_in
K scale_in(float a,float*y,int n){int i=GID; if(i<n) y[i]*=a;}
//@ scale_in_stride
K scale_in_stride(float a,float*y,int n){for(int i=GID;i<n;i+=blockDim.x*gridDim.x) y[i]*=a;}
//@ any_add
K any_add(const float*x,const float*y,float*o,IT n){IT i=GID; if(i<n) o[i]=x[i]+y[i];}
//@ any_add_signed
// a signed guard for an unsigned n
K any_add_signed(const float*x,const float*y,float*o,u32 n){u32 i=GID; if((int)i<(int)n) o[i]=x[i]+y[i];}
//@ any_relu
K any_relu(const float*x,float*o,IT n){IT i=GID; if(i<n) o[i]=fmaxf(x[i],0.f);}
//@ any_relu_select
K any_relu_select(const float*__restrict__ x,float*__restrict__ o,IT n){IT i=GID; if(i>=n) return; float v=x[i]; if(!(v>0.f)) v=0.f; o[i]=v;}
//@ any_saxpy
K any_saxpy(float a,const float*__restrict__ x,float*__restrict__ y,IT n){IT i=GID; if(i<n) y[i]=fmaf(a,x[i],y[i]);}
//@ any_saxpy_shifted
// counts from one
K any_saxpy_shifted(float a,const float*__restrict__ x,float*__restrict__ y,IT n){IT i=GID+1; if(i<=n) y[i-1]=fmaf(a,x[i-1],y[i-1]);}
//@ any_saxpy_stride
#ifndef BLOCKS
#define BLOCKS gridDim.x
#endif
K any_saxpy_stride(float a,const float*__restrict__ x,float*__restrict__ y,IT n){for(IT i=GID;i<n;i+=blockDim.x*BLOCKS) y[i]=fmaf(a,x[i],y[i]);}
//@ any_rope
// n rows of 64: column j turns with column j+32
#ifndef PLACE
#define PLACE i/32*64+i%32
#endif
K any_rope(const float*__restrict__ x,const float*__restrict__ cs,const float*__restrict__ sn,float*__restrict__ o,IT n){IT i=GID; if(i<n*32){IT p=PLACE;
 float u=x[p],v=x[p+32],c=cs[i],s=sn[i]; o[p]=fmaf(u,c,-__fmul_rn(v,s)); o[p+32]=fmaf(u,s,__fmul_rn(v,c));}}
