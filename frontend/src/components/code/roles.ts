/** The roles of generated code: what each is for, and its icon, so that colour never stands alone. */
import type { RoleName } from '../../api/types';

export interface Role {
  readonly name: RoleName;
  readonly icon: string;
  readonly meaning: string;
}

export const ROLES: readonly Role[] = [
  { name: 'bounds', icon: '⟷', meaning: 'iteration domain of a derived variable' },
  { name: 'guard', icon: '◇', meaning: 'keeps a tail or window inside its parent' },
  { name: 'recovery', icon: '↩', meaning: 'coordinate recovered from derived variables' },
  { name: 'search', icon: '⌕', meaning: 'binary search or tracking' },
  { name: 'assembly', icon: '⊞', meaning: 'builds a sparse result' },
  { name: 'reduction', icon: 'Σ', meaning: 'combines partial sums, atomics' },
  { name: 'init', icon: '∅', meaning: 'zeroing, allocation' },
  { name: 'compute', icon: '·', meaning: 'the mathematics itself' },
];

export const iconOf = (role: RoleName): string => ROLES.find((one) => one.name === role)?.icon ?? '';
