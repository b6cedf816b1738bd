/** Goes from one message to the next, in the order of the page: into the editor at its place, else to the message. */
export function goToProblem(by: 1 | -1, page: ParentNode = document): void {
  const problems = [...page.querySelectorAll<HTMLElement>('.diagnostic')];
  if (problems.length === 0) return;
  const current = problems.findIndex((problem) => problem.hasAttribute('data-visited'));
  const next = current < 0 ? (by > 0 ? 0 : problems.length - 1) : (current + by + problems.length) % problems.length;
  problems.forEach((problem, index) => problem.toggleAttribute('data-visited', index === next));
  const problem = problems[next];
  const jump = problem?.querySelector<HTMLElement>('.link-button');
  if (jump) return jump.click();
  if (!problem) return;
  problem.tabIndex = -1;
  problem.focus();
  problem.scrollIntoView({ block: 'nearest' });
}
