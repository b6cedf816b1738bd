export interface MenuItem {
  readonly title: string;
  /** One line below the title. */
  readonly says?: string | undefined;
  /** The keys that do the same. */
  readonly keys?: string | undefined;
  /** Why it cannot be chosen here. */
  readonly obstacle?: string | null | undefined;
  readonly onChoose: () => void;
}
