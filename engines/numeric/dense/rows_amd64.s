#include "textflag.h"

// func dotEachRowVector(dst, values *float64, start *int, rows int, w *float64, n int)
TEXT ·dotEachRowVector(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), R8
	MOVQ values+8(FP), R11
	MOVQ start+16(FP), R12
	MOVQ rows+24(FP), R13
	MOVQ w+32(FP), SI
rows:
	MOVQ   (R12), AX
	MOVQ   8(R12), BX
	MOVQ   16(R12), CX
	MOVQ   24(R12), DX
	LEAQ   (R11)(AX*8), AX
	LEAQ   (R11)(BX*8), BX
	LEAQ   (R11)(CX*8), CX
	LEAQ   (R11)(DX*8), DX
	MOVQ   n+40(FP), DI
	XORQ   R9, R9
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	MOVQ   DI, R10
	SHRQ   $2, R10
	JZ     rest
four:
	VMOVUPD (SI)(R9*1), Y4
	VMULPD  (AX)(R9*1), Y4, Y5
	VMULPD  (BX)(R9*1), Y4, Y6
	VMULPD  (CX)(R9*1), Y4, Y7
	VMULPD  (DX)(R9*1), Y4, Y8
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
	VMULPD Y4, Y5, Y5
	VMULPD Y4, Y6, Y6
	VMULPD Y4, Y7, Y7
	VMULPD Y4, Y8, Y8
	VADDPD Y5, Y0, Y0
	VADDPD Y6, Y1, Y1
	VADDPD Y7, Y2, Y2
	VADDPD Y8, Y3, Y3
	ADDQ   $8, R9
	DECQ   DI
	JNZ    one
sum:
	VHADDPD    Y1, Y0, Y0      // a0+a1, b0+b1, a2+a3, b2+b3
	VHADDPD    Y3, Y2, Y2      // of c and d
	VPERM2F128 $0x20, Y2, Y0, Y1
	VPERM2F128 $0x31, Y2, Y0, Y3
	VADDPD     Y3, Y1, Y1
	VMOVUPD    Y1, (R8)
	ADDQ       $32, R8
	ADDQ       $32, R12
	SUBQ       $4, R13
	JNZ        rows
	VZEROUPPER
	RET

// Sums of columns stay in registers while all rows go by: 32 columns at a time, then 16, then 4, then what is left.

// func addEachRowVector(dst, values *float64, start *int, r *float64, rows, n int)
TEXT ·addEachRowVector(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), R8
	MOVQ values+8(FP), R11
	MOVQ start+16(FP), R12
	MOVQ r+24(FP), SI
	MOVQ rows+32(FP), R13
	MOVQ n+40(FP), DI
columns32:
	CMPQ DI, $32
	JLT  columns16
	VMOVUPD (R8), Y0
	VMOVUPD 32(R8), Y1
	VMOVUPD 64(R8), Y2
	VMOVUPD 96(R8), Y3
	VMOVUPD 128(R8), Y4
	VMOVUPD 160(R8), Y5
	VMOVUPD 192(R8), Y6
	VMOVUPD 224(R8), Y7
	XORQ    R9, R9
rows32:
	MOVQ         (R12)(R9*8), AX
	LEAQ         (R11)(AX*8), AX
	VBROADCASTSD (SI)(R9*8), Y8
	VMULPD       (AX), Y8, Y9
	VMULPD       32(AX), Y8, Y10
	VMULPD       64(AX), Y8, Y11
	VMULPD       96(AX), Y8, Y12
	VADDPD       Y9, Y0, Y0
	VADDPD       Y10, Y1, Y1
	VADDPD       Y11, Y2, Y2
	VADDPD       Y12, Y3, Y3
	VMULPD       128(AX), Y8, Y9
	VMULPD       160(AX), Y8, Y10
	VMULPD       192(AX), Y8, Y11
	VMULPD       224(AX), Y8, Y12
	VADDPD       Y9, Y4, Y4
	VADDPD       Y10, Y5, Y5
	VADDPD       Y11, Y6, Y6
	VADDPD       Y12, Y7, Y7
	INCQ         R9
	CMPQ         R9, R13
	JLT          rows32
	VMOVUPD Y0, (R8)
	VMOVUPD Y1, 32(R8)
	VMOVUPD Y2, 64(R8)
	VMOVUPD Y3, 96(R8)
	VMOVUPD Y4, 128(R8)
	VMOVUPD Y5, 160(R8)
	VMOVUPD Y6, 192(R8)
	VMOVUPD Y7, 224(R8)
	ADDQ    $256, R8
	ADDQ    $256, R11
	SUBQ    $32, DI
	JMP     columns32
columns16:
	CMPQ DI, $16
	JLT  columns4
	VMOVUPD (R8), Y0
	VMOVUPD 32(R8), Y1
	VMOVUPD 64(R8), Y2
	VMOVUPD 96(R8), Y3
	XORQ    R9, R9
rows16:
	MOVQ         (R12)(R9*8), AX
	LEAQ         (R11)(AX*8), AX
	VBROADCASTSD (SI)(R9*8), Y8
	VMULPD       (AX), Y8, Y9
	VMULPD       32(AX), Y8, Y10
	VMULPD       64(AX), Y8, Y11
	VMULPD       96(AX), Y8, Y12
	VADDPD       Y9, Y0, Y0
	VADDPD       Y10, Y1, Y1
	VADDPD       Y11, Y2, Y2
	VADDPD       Y12, Y3, Y3
	INCQ         R9
	CMPQ         R9, R13
	JLT          rows16
	VMOVUPD Y0, (R8)
	VMOVUPD Y1, 32(R8)
	VMOVUPD Y2, 64(R8)
	VMOVUPD Y3, 96(R8)
	ADDQ    $128, R8
	ADDQ    $128, R11
	SUBQ    $16, DI
columns4:
	CMPQ DI, $4
	JLT  columns2
	VMOVUPD (R8), Y0
	XORQ    R9, R9
rows4:
	MOVQ         (R12)(R9*8), AX
	VBROADCASTSD (SI)(R9*8), Y8
	VMULPD       (R11)(AX*8), Y8, Y9
	VADDPD       Y9, Y0, Y0
	INCQ         R9
	CMPQ         R9, R13
	JLT          rows4
	VMOVUPD Y0, (R8)
	ADDQ    $32, R8
	ADDQ    $32, R11
	SUBQ    $4, DI
	JMP     columns4
columns2:
	CMPQ DI, $2
	JLT  column
	VMOVUPD (R8), X0
	XORQ    R9, R9
rows2:
	MOVQ     (R12)(R9*8), AX
	VMOVDDUP (SI)(R9*8), X8
	VMULPD   (R11)(AX*8), X8, X9
	VADDPD   X9, X0, X0
	INCQ     R9
	CMPQ     R9, R13
	JLT      rows2
	VMOVUPD X0, (R8)
	ADDQ    $16, R8
	ADDQ    $16, R11
	SUBQ    $2, DI
column:
	TESTQ DI, DI
	JZ    done
	VMOVSD (R8), X0
	XORQ   R9, R9
row:
	MOVQ   (R12)(R9*8), AX
	VMOVSD (SI)(R9*8), X8
	VMULSD (R11)(AX*8), X8, X9
	VADDSD X9, X0, X0
	INCQ   R9
	CMPQ   R9, R13
	JLT    row
	VMOVSD X0, (R8)
done:
	VZEROUPPER
	RET
