#include "textflag.h"

// The steps are those of SumExp, four numbers at a time; their sum is in order.

// func sumExpVector(out, x *float64, n int, high, from float64, constants *[11][4]float64, powers *[steps]power) (done int, sum float64)
TEXT ·sumExpVector(SB), NOSPLIT, $0-72
	MOVQ         out+0(FP), DI
	MOVQ         x+8(FP), SI
	MOVQ         n+16(FP), R10
	VBROADCASTSD high+24(FP), Y0
	VMOVSD       from+32(FP), X15
	MOVQ         constants+40(FP), CX
	MOVQ         powers+48(FP), DX
	XORQ         R9, R9
	VMOVUPD      64(CX), Y10  // steps in 1
	VMOVUPD      96(CX), Y11  // shift
	VMOVUPD      128(CX), Y12 // a step, high
	VMOVUPD      160(CX), Y13 // a step, low
	VMOVUPD      192(CX), Y14 // the table's mask
four:
	CMPQ R9, R10
	JGE  done
	VMOVUPD   (SI)(R9*8), Y1
	VSUBPD    Y0, Y1, Y1         // v
	VCMPPD    $17, (CX), Y1, Y2  // below normal
	VCMPPD    $30, 32(CX), Y1, Y3 // above -normal
	VANDPD    Y2, Y3, Y2
	VMOVMSKPD Y2, AX
	CMPL      AX, $15
	JNE       done
	VMULPD    Y10, Y1, Y2
	VADDPD    Y11, Y2, Y2
	VPSUBQ    Y11, Y2, Y3        // bits
	VSUBPD    Y11, Y2, Y2        // n
	VMULPD    Y12, Y2, Y4
	VSUBPD    Y4, Y1, Y4
	VMULPD    Y13, Y2, Y5
	VSUBPD    Y5, Y4, Y4         // r
	VPAND     Y14, Y3, Y5        // place in the table
	VPSUBQ    Y5, Y3, Y3
	VPSLLQ    $45, Y3, Y3        // the power of 2, for the exponent
	VPADDQ    Y5, Y5, Y5
	VMOVQ        X5, R11
	VPEXTRQ      $1, X5, R12
	VEXTRACTI128 $1, Y5, X6
	VMOVQ        X6, R13
	VPEXTRQ      $1, X6, R8
	VMOVUPD      (DX)(R11*8), X7
	VINSERTF128  $1, (DX)(R13*8), Y7, Y7 // value and rest of the first and third
	VMOVUPD      (DX)(R12*8), X6
	VINSERTF128  $1, (DX)(R8*8), Y6, Y6  // of the second and fourth
	VUNPCKHPD    Y6, Y7, Y8              // rest
	VUNPCKLPD    Y6, Y7, Y7              // value
	VMULPD    Y4, Y4, Y9         // r2
	VMULPD    224(CX), Y4, Y1
	VADDPD    256(CX), Y1, Y1
	VMULPD    Y9, Y1, Y1         // r2*(0.5 + r/6)
	VMULPD    288(CX), Y4, Y2
	VADDPD    320(CX), Y2, Y2
	VMULPD    Y9, Y9, Y9
	VMULPD    Y9, Y2, Y2         // r2*r2*(1/24 + r/120)
	VADDPD    Y2, Y1, Y1
	VADDPD    Y4, Y1, Y1
	VADDPD    Y8, Y1, Y1         // grow
	VPADDQ    Y3, Y7, Y7         // s
	VMULPD    Y7, Y1, Y1
	VADDPD    Y7, Y1, Y1
	VMOVUPD   Y1, (DI)(R9*8)
	VADDSD    X1, X15, X15
	VUNPCKHPD X1, X1, X2
	VADDSD    X2, X15, X15
	VEXTRACTF128 $1, Y1, X1
	VADDSD    X1, X15, X15
	VUNPCKHPD X1, X1, X2
	VADDSD    X2, X15, X15
	ADDQ      $4, R9
	JMP       four
done:
	MOVQ   R9, done+56(FP)
	VMOVSD X15, sum+64(FP)
	VZEROUPPER
	RET
