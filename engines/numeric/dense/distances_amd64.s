#include "textflag.h"

// All bits but the sign.
DATA magnitude<>+0(SB)/8, $0x7fffffffffffffff
GLOBL magnitude<>(SB), RODATA|NOPTR, $8

// The lanes of a vector are the four sums of distancePlain. What is left after whole vectors goes to the first lane; the others add
// a zero.

// func distancesVector(a, b, c, d, w *float64, n int, dst *[4]float64)
TEXT ·distancesVector(SB), NOSPLIT, $0-56
	MOVQ         a+0(FP), AX
	MOVQ         b+8(FP), BX
	MOVQ         c+16(FP), CX
	MOVQ         d+24(FP), DX
	MOVQ         w+32(FP), SI
	MOVQ         n+40(FP), DI
	MOVQ         dst+48(FP), R8
	VBROADCASTSD magnitude<>(SB), Y9
	XORQ         R9, R9
	VXORPD       Y0, Y0, Y0
	VXORPD       Y1, Y1, Y1
	VXORPD       Y2, Y2, Y2
	VXORPD       Y3, Y3, Y3
	MOVQ         DI, R10
	SHRQ         $2, R10
	JZ           rest
four:
	VMOVUPD (SI)(R9*1), Y4
	VSUBPD  (AX)(R9*1), Y4, Y5
	VSUBPD  (BX)(R9*1), Y4, Y6
	VSUBPD  (CX)(R9*1), Y4, Y7
	VSUBPD  (DX)(R9*1), Y4, Y8
	VANDPD  Y9, Y5, Y5
	VANDPD  Y9, Y6, Y6
	VANDPD  Y9, Y7, Y7
	VANDPD  Y9, Y8, Y8
	VADDPD  Y5, Y0, Y0
	VADDPD  Y6, Y1, Y1
	VADDPD  Y7, Y2, Y2
	VADDPD  Y8, Y3, Y3
	ADDQ    $32, R9
	DECQ    R10
	JNZ     four
rest:
	ANDQ $3, DI
	JZ   sum
one:
	VMOVSD (SI)(R9*1), X4
	VMOVSD (AX)(R9*1), X5
	VMOVSD (BX)(R9*1), X6
	VMOVSD (CX)(R9*1), X7
	VMOVSD (DX)(R9*1), X8
	VSUBPD Y5, Y4, Y5
	VSUBPD Y6, Y4, Y6
	VSUBPD Y7, Y4, Y7
	VSUBPD Y8, Y4, Y8
	VANDPD Y9, Y5, Y5
	VANDPD Y9, Y6, Y6
	VANDPD Y9, Y7, Y7
	VANDPD Y9, Y8, Y8
	VADDPD Y5, Y0, Y0
	VADDPD Y6, Y1, Y1
	VADDPD Y7, Y2, Y2
	VADDPD Y8, Y3, Y3
	ADDQ   $8, R9
	DECQ   DI
	JNZ    one
sum:
	VHADDPD      Y1, Y0, Y0
	VHADDPD      Y3, Y2, Y2
	VEXTRACTF128 $1, Y0, X1
	VADDPD       X1, X0, X0
	VEXTRACTF128 $1, Y2, X3
	VADDPD       X3, X2, X2
	VMOVUPD      X0, (R8)
	VMOVUPD      X2, 16(R8)
	VZEROUPPER
	RET

// func addDistancesVector(dst, a, b *float64, n int, x float64)
TEXT ·addDistancesVector(SB), NOSPLIT, $0-40
	MOVQ         dst+0(FP), DX
	MOVQ         a+8(FP), AX
	MOVQ         b+16(FP), BX
	MOVQ         n+24(FP), DI
	VBROADCASTSD x+32(FP), Y0
	VBROADCASTSD magnitude<>(SB), Y9
	XORQ         R9, R9
	MOVQ         DI, R10
	SHRQ         $2, R10
	JZ           rest
four:
	VMOVUPD (AX)(R9*1), Y4
	VSUBPD  (BX)(R9*1), Y4, Y4
	VANDPD  Y9, Y4, Y4
	VMULPD  Y0, Y4, Y4
	VADDPD  (DX)(R9*1), Y4, Y4
	VMOVUPD Y4, (DX)(R9*1)
	ADDQ    $32, R9
	DECQ    R10
	JNZ     four
rest:
	ANDQ $3, DI
	JZ   done
one:
	VMOVSD (AX)(R9*1), X4
	VSUBSD (BX)(R9*1), X4, X4
	VANDPD X9, X4, X4
	VMULSD X0, X4, X4
	VADDSD (DX)(R9*1), X4, X4
	VMOVSD X4, (DX)(R9*1)
	ADDQ   $8, R9
	DECQ   DI
	JNZ    one
done:
	VZEROUPPER
	RET
