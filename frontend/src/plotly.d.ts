/** The part of Plotly that the page uses; the package carries no types. */
declare module 'plotly.js-basic-dist-min' {
  interface Plotly {
    react(
      element: HTMLElement,
      data: readonly Readonly<Record<string, unknown>>[],
      layout: Readonly<Record<string, unknown>>,
      config: Readonly<Record<string, unknown>>,
    ): Promise<HTMLElement>;
    /** A `data:` address. */
    toImage(
      figure: { readonly data: readonly unknown[]; readonly layout: Readonly<Record<string, unknown>> },
      options: {
        readonly format: 'svg' | 'png';
        readonly width: number;
        readonly height: number;
        readonly scale: number;
      },
    ): Promise<string>;
    purge(element: HTMLElement): void;
    readonly Plots: { resize(element: HTMLElement): Promise<void> };
  }
  const plotly: Plotly;
  export default plotly;
}
