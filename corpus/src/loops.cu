typedef unsigned int u32; typedef unsigned long long u64;
#define K extern "C" __global__ void
#define GID (blockIdx.x*blockDim.x+threadIdx.x)
#define COL (blockIdx.x*blockDim.x+threadIdx.x)
#define ROW (blockIdx.y*blockDim.y+threadIdx.y)
#ifndef END
#define END n
#endif
#if defined(SWAPPED)
#define STEP s=fmaf(b,a,s)
#elif defined(MINUS)
#define STEP s=fmaf(-a,b,s)
#else
#define STEP s=fmaf(a,b,s)
#endif
//@ lp_mm
K lp_mm(const float*A,const float*B,float*C,int n){int c=COL,r=ROW; float s=0;
#pragma unroll 1
 for(int k=0;k<END;k++){float a=A[r*n+k],b=B[k*64+c]; STEP;} C[r*64+c]=s;}
//@ lp_mm_pointers
K lp_mm_pointers(const float*A,const float*B,float*C,int n){int c=COL,r=ROW; float s=0; const float*p=A+r*n,*q=B+c;
#pragma unroll 1
 for(int left=n;left>0;left--,p++,q+=64){float a=*p,b=*q; STEP;} C[r*64+c]=s;}
//@ lp_mm_unrolled
K lp_mm_unrolled(const float*A,const float*B,float*C,int n){int c=COL,r=ROW; float s=0;
 for(int k=0;k<n;k++){float a=A[r*n+k],b=B[k*64+c]; STEP;} C[r*64+c]=s;}
//@ lp_lcg
K lp_lcg(const u32*x,u32*o,u32 n){u32 i=GID,v=x[i];
#pragma unroll 1
 for(u32 k=0;k<END;k++){v=v*1664525u+1013904223u; if(k==AT)v^=1;} o[i]=v;}
//@ lp_lcg_down
K lp_lcg_down(const u32*x,u32*o,u32 n){u32 i=GID,v=x[i],k=0;
#pragma unroll 1
 for(u32 left=n;left!=0;left--,k++){v=v*1664525u+1013904223u; if(k==AT)v^=1;} o[i]=v;}
//@ lp_columns
K lp_columns(const float*x,float*o,int n){float s=0;
#pragma unroll 1
 for(int k=0;k<END;k++) s+=x[k*256+threadIdx.x]; o[threadIdx.x]=s;}
//@ lp_columns_strided
K lp_columns_strided(const float*x,float*o,int n){float s=0;
#pragma unroll 1
 for(int i=threadIdx.x;i<n*256;i+=256) s+=x[i]; o[threadIdx.x]=s;}
