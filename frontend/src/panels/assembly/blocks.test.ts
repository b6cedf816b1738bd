import { expect, it } from 'vitest';
import { blocksOf, vectorBits } from './blocks';

const of = (line: number | null, text: string) => ({ address: 0, text, line, calls: null });

it('puts neighbouring instructions of a line together', () => {
  const first = of(6, 'push rbp');
  const [second, third, fourth] = [of(7, 'mov rax,r14'), of(7, 'add rax,0x1f'), of(6, 'pop rbp')];
  expect(blocksOf([first, second, third, fourth])).toEqual([
    { line: 6, instructions: [first] },
    { line: 7, instructions: [second, third] },
    { line: 6, instructions: [fourth] },
  ]);
});

it('knows vectors from scalars', () => {
  expect(vectorBits([of(1, 'vfmadd231pd zmm0,zmm1,ZMMWORD PTR [rax]')])).toBe(512);
  expect(vectorBits([of(1, 'vaddpd ymm0,ymm1,ymm2'), of(1, 'ret')])).toBe(256);
  expect(vectorBits([of(1, 'mulpd xmm0,xmm1')])).toBe(128);
  expect(vectorBits([of(1, 'vxorpd xmm0,xmm0,xmm0')])).toBeNull();
  expect(vectorBits([of(1, 'vfmadd231sd xmm0,xmm1,QWORD PTR [rax]')])).toBeNull();
});
