/**
 * The one table of targets, and of the languages of the texts that are made for them: everything on the page that
 * depends on one is a column here.
 */

interface TargetRow {
  readonly title: string;
  /** What no machine that is connected has, where the target is offered by none; null where every machine runs it. */
  readonly lack: string | null;
  /** The targets that run the same schedule without it, the best first. */
  readonly instead: readonly Target[];
  /** Whether all loops run on units of a GPU: a schedule that has mapped none of them yet does not run there. */
  readonly mapped: boolean;
  /** The button that runs a plan with this target in place of another. */
  readonly action: string;
}

export type Target = 'c' | 'cuda' | 'opencl' | 'interpreter';

/** In the order in which they are offered. */
export const TARGETS: Readonly<Record<Target, TargetRow>> = {
  c: { title: 'CPU (C, OpenMP)', lack: null, instead: [], mapped: false, action: 'Run on the CPU' },
  cuda: {
    title: 'GPU (CUDA)',
    lack: 'No machine here has an NVIDIA GPU with CuPy',
    instead: ['opencl', 'interpreter'],
    mapped: true,
    action: 'Run with CUDA',
  },
  opencl: {
    title: 'OpenCL (GPU or CPU)',
    lack: 'No machine here has an OpenCL device',
    instead: ['interpreter'],
    mapped: true,
    action: 'Run with OpenCL',
  },
  interpreter: {
    title: 'Checked interpreter',
    lack: null,
    instead: [],
    mapped: false,
    action: 'Run in the checked interpreter',
  },
};

export const TARGET_NAMES = Object.keys(TARGETS) as readonly Target[];
/** Of a plan that names none. */
export const DEFAULT_TARGET: Target = 'c';

interface CodeLanguageRow {
  readonly title: string;
  readonly file: string;
  /** The word that names the language to whoever colours Markdown. */
  readonly fence: string;
  /** Whether directives hold names of variables, as OpenMP's do. */
  readonly namesInDirectives: boolean;
  /** What the text is good for as an export of the plan; null for what is no export. */
  readonly use: string | null;
}

export type CodeLanguage = 'c' | 'cuda' | 'opencl' | 'loops';

export const CODE_LANGUAGES: Readonly<Record<CodeLanguage, CodeLanguageRow>> = {
  c: { title: 'C', file: 'kernel.c', fence: 'c', namesInDirectives: true, use: 'the kernel as C with OpenMP' },
  cuda: {
    title: 'CUDA',
    file: 'kernel.cu',
    fence: 'cuda',
    namesInDirectives: false,
    use: 'the kernel for NVIDIA GPUs',
  },
  opencl: {
    title: 'OpenCL',
    file: 'kernel.cl',
    fence: 'c',
    namesInDirectives: true,
    use: 'the kernel for OpenCL devices',
  },
  loops: { title: 'Loops', file: 'kernel.loops.txt', fence: 'text', namesInDirectives: false, use: null },
};

export const CODE_LANGUAGE_NAMES = Object.keys(CODE_LANGUAGES) as readonly CodeLanguage[];
