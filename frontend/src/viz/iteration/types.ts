/** The drawn iteration graph: plain numbers (px, origin at the top left), ready for SVG. */
import type { IterationGraphView, RelationView, Space, VariableView } from '../../api/types';

export interface IterationInput {
  readonly graph: IterationGraphView;
  readonly variables: readonly VariableView[];
  readonly relations: readonly RelationView[];
}

export interface PlacedLoop {
  readonly variable: string;
  readonly parent: string | null;
  readonly depth: number;
  readonly space: Space;
  readonly reduction: boolean;
  readonly merge: '∩' | '∪' | null;
  /** Texts of the badges next to the node: parallel unit, race strategy, unrolling. */
  readonly badges: readonly string[];
  readonly iteration: string;
  /** What is drawn of it. */
  readonly note: string;
  readonly x: number;
  readonly y: number;
  readonly halfWidth: number;
  readonly halfHeight: number;
  /** Left edge of the badges and the iteration text, relative to the node. */
  readonly noteX: number;
}

/** Where a path meets a node: the levels of the tensor whose coordinate is known there. */
export interface Station {
  readonly variable: string;
  readonly x: number;
  readonly y: number;
  /** 1-based levels reached here; empty where an outer part of a split variable only narrows the level. */
  readonly levels: readonly number[];
  /** The tensor is iterated here (otherwise its coordinate is located). */
  readonly iterated: boolean;
}

export interface PlacedPath {
  /** Index in `IterationGraphView.paths`. */
  readonly index: number;
  /** Which colour and dashes: 0 for the result, then operands from left to right, then workspaces. */
  readonly colour: number;
  readonly tensor: string;
  readonly access: string;
  readonly result: boolean;
  /** A workspace: one path where it is written, one for each access that reads it, in one colour. */
  readonly temporary: boolean;
  readonly data: string;
  readonly label: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly stations: readonly Station[];
  /** Stations stand in level order from top to bottom; otherwise their level numbers are shown. */
  readonly inLevelOrder: boolean;
  readonly end: { readonly x: number; readonly y: number };
  /** The path runs on to its access in the statement. */
  readonly reachesStatement: boolean;
}

export interface StatementPart {
  readonly text: string;
  /** In characters of the statement. */
  readonly start: number;
  readonly x: number;
  /** Middle of its line. */
  readonly y: number;
  readonly width: number;
  /** The access that this part is; null for what stands between accesses. */
  readonly access: { readonly tensor: string; readonly colour: number } | null;
}

export interface PlacedStatement {
  readonly text: string;
  readonly parts: readonly StatementPart[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A stretch of the loop nest from a parent to its child (or to the statement). */
export interface PlacedNesting {
  readonly key: string;
  readonly data: string;
}

export interface IterationLayout {
  /** Where one begins to look: the outermost loop. */
  readonly root?: { readonly x: number; readonly y: number } | undefined;
  readonly width: number;
  readonly height: number;
  readonly loops: readonly PlacedLoop[];
  readonly nestings: readonly PlacedNesting[];
  readonly paths: readonly PlacedPath[];
  readonly statements: readonly PlacedStatement[];
}
