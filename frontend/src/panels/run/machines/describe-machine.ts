import type { MachineFacts } from '../../../api/types';
import { counted } from '../../../text/quantities';

/** The machine in one line: nothing about speed is said without it. */
export function describeMachine(machine: MachineFacts): string {
  const memory = `${Math.round(machine.memory_bytes / 2 ** 30)} GB`;
  const mkl = machine.mkl === null ? null : `MKL ${shortVersion(machine.mkl.version)}`;
  return [
    counted(machine.cores, 'core'),
    describeProcessor(machine),
    memory,
    machine.os,
    machine.compiler,
    `Python ${machine.python}`,
    `NumPy ${machine.numpy}`,
    `SciPy ${machine.scipy}`,
    mkl,
    machine.gpu ?? null,
  ]
    .filter((part) => part !== null && part !== '')
    .join(', ');
}

/** The processor and what kernels are compiled for, by its own class or by one that it is held to. */
function describeProcessor({ cpu, machine_class: machineClass, march }: MachineFacts): string {
  if (machineClass === undefined) {
    return cpu;
  }
  return march === 'native' ? `${cpu} (${machineClass})` : `${cpu} held to ${machineClass}`;
}

/** MKL introduces itself in a whole sentence; the number is what tells two of them apart. */
function shortVersion(text: string): string {
  return /\d+(?:\.\d+)+/.exec(text)?.[0] ?? text;
}
