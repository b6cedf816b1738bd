/** A diagram as an SVG file that looks the same without the page's style sheets. */

const PROPERTIES = [
  'color',
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-opacity',
  'opacity',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
  'paint-order',
] as const;

const PNG_SCALE = 2;

/** Serialises the drawing in `svg` at its natural size, with every style written out. */
export function svgText(svg: SVGSVGElement, width: number, height: number, title: string): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [...svg.querySelectorAll<SVGElement>('*')];
  [...copy.querySelectorAll<SVGElement>('*')].forEach((element, index) => {
    const original = originals[index];
    if (!original) return;
    const style = getComputedStyle(original);
    const transform = style.transform;
    if (transform && transform !== 'none') element.setAttribute('transform', transform);
    element.removeAttribute('style');
    for (const property of PROPERTIES) element.setAttribute(property, style.getPropertyValue(property));
    for (const { name } of [...element.attributes]) {
      if (name === 'class' || name === 'role' || name === 'tabindex' || /^(data|aria)-/.test(name)) {
        element.removeAttribute(name);
      }
    }
  });
  // The zoom and pan of the moment do not belong in the file.
  copy.firstElementChild?.removeAttribute('transform');
  const background = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  background.setAttribute('width', '100%');
  background.setAttribute('height', '100%');
  background.setAttribute('fill', getComputedStyle(svg).backgroundColor);
  const name = document.createElementNS('http://www.w3.org/2000/svg', 'title');
  name.textContent = title;
  copy.prepend(name, background);
  for (const { name: attribute } of [...copy.attributes]) copy.removeAttribute(attribute);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('viewBox', `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`);
  copy.setAttribute('width', String(Math.ceil(width)));
  copy.setAttribute('height', String(Math.ceil(height)));
  return new XMLSerializer().serializeToString(copy);
}

/** The picture as PNG, twice as fine as on the screen, for slides and papers. */
export async function svgToPng(text: string, width: number, height: number): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width * PNG_SCALE);
  canvas.height = Math.ceil(height * PNG_SCALE);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The picture is too large.')) : resolve(blob)),
      'image/png',
    );
  });
}
