/** What PDFs, word processors and web pages make of a text, undone: `compiler/heddle/typography.py` reads the same. */

const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/** Take no room, or turn the text around them. */
const UNSEEN = /\u00ad|\u200b|\u200c|\u200d|\u2060|\ufeff|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const LOOKALIKES: Readonly<Record<string, string>> = {
  '·': '*',
  '×': '*',
  '∗': '*',
  '⋅': '*',
  '÷': '/',
  '−': '-',
  '–': '-',
  '‐': '-',
  '‑': '-',
  '“': '"',
  '”': '"',
  '„': '"',
  '‘': "'",
  '’': "'",
  '′': "'",
  '、': ',',
};

/** The text in plain characters, with a line feed at the end of each line. */
export function plainText(text: string): string {
  return text
    .replace(LINE_ENDS, '\n')
    .replace(SPACES, ' ')
    .replace(UNSEEN, '')
    .replace(FULL_WIDTH, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0))
    .replace(/[^\n\u0020-\u007e]/g, (letter) => LOOKALIKES[letter] ?? letter);
}

/** An assignment begins: a line break in front of it separates statements. */
const ASSIGNMENT = /^[A-Za-z]\w*\s*(?:\([^()=]*\)|\{[^{}]*\})?\s*(?:\+|\*|min|max|\||&)?=(?!=)/;

/** An expression in one line: its line breaks become spaces, or `;` where the next line is a statement of its own. */
export function inOneLine(text: string): string {
  let written = '';
  for (const line of text.split('\n').map((part) => part.trim())) {
    if (line === '') continue;
    const separator = written === '' ? '' : ASSIGNMENT.test(line) && !/[;,=+*/(-]$/.test(written) ? '; ' : ' ';
    written += separator + line;
  }
  return written;
}

/** A command begins: what stands before it is closed, or broken. */
const COMMAND = /^(?:[A-Za-z_]\w*\s*\[[^\]]*\]\s*:\s*)?[A-Za-z_]\w*\s*\(/;
const COMMENT = /#|\/\//;

/** A schedule with one command in each line; comments stay where they are. */
export function oneCommandPerLine(text: string): string {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const last = lines.at(-1);
    const goesOn = last !== undefined && !COMMENT.test(last) && depthOf(last) > 0 && line.trim() !== '';
    if (goesOn && !COMMAND.test(line.trim())) {
      // A word that the end of a line has cut in two.
      const cut = /[A-Za-z]-$/.test(last.trimEnd()) && /^[A-Za-z]/.test(line.trim());
      lines[lines.length - 1] = cut ? last.trimEnd().slice(0, -1) + line.trim() : `${last.trimEnd()} ${line.trim()}`;
    } else lines.push(line);
  }
  return lines.flatMap(commandsOf).join('\n');
}

function depthOf(text: string): number {
  return [...text].reduce((depth, letter) => depth + Number(letter === '(') - Number(letter === ')'), 0);
}

/** Cuts a line at each comma or semicolon behind the parenthesis that closes a command. */
function commandsOf(line: string): string[] {
  const comment = line.search(COMMENT);
  const end = comment < 0 ? line.length : comment;
  const commands: string[] = [];
  let [start, depth] = [0, 0];
  for (let place = 0; place < end; place++) {
    const letter = line.charAt(place);
    depth = Math.max(0, depth + Number(letter === '(') - Number(letter === ')'));
    if ((letter === ',' || letter === ';') && depth === 0 && line.slice(start, place).trimEnd().endsWith(')')) {
      commands.push(line.slice(start, place).trimEnd());
      start = place + 1;
      while (line.charAt(start) === ' ') start++;
    }
  }
  const rest = line.slice(start);
  return rest.trim() === '' && commands.length > 0 ? commands : [...commands, rest];
}
