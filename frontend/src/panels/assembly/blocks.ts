/** Machine code by the line of C that it is of. */
import type { AssemblyView } from '../../api/types';

type Instruction = AssemblyView['functions'][number]['instructions'][number];

/** Neighbouring instructions of the same line. */
export interface Block {
  /** Of the C text, from 1; null for what the compiler adds. */
  readonly line: number | null;
  readonly instructions: readonly Instruction[];
}

export function blocksOf(instructions: readonly Instruction[]): Block[] {
  const blocks: { line: number | null; instructions: Instruction[] }[] = [];
  for (const instruction of instructions) {
    const last = blocks.at(-1);
    if (last !== undefined && last.line === instruction.line) last.instructions.push(instruction);
    else blocks.push({ line: instruction.line, instructions: [instruction] });
  }
  return blocks;
}

/** Bits of the widest vectors that the instructions compute with; null where they have none. */
export function vectorBits(instructions: readonly Instruction[]): number | null {
  const registers = instructions.map(({ text }) => text).join('\n');
  if (/\bzmm\d/.test(registers)) return 512;
  if (/\bymm\d/.test(registers)) return 256;
  // Scalars stand in the same registers as vectors of 128 bits: the name of the instruction tells them apart.
  const computed = /^v?(?:fn?m(?:add|sub)\d*|add|sub|mul|div|max|min|sqrt)p[sd]\b|\bv\d+\.(?:2d|4s)\b/m;
  return computed.test(registers) ? 128 : null;
}
