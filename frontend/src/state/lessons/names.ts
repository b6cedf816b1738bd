/** How lessons and tasks are called, as parts of regular expressions. */

const NAME = '[a-z][a-z0-9-]{0,47}';

/** A lesson that a teacher wrote has the code of the class in front: `ABCD-2345.empty-rows`. */
export const LESSON = String.raw`(?:[A-Z0-9]{4}-[A-Z0-9]{4}\.)?${NAME}`;
export const TASK = NAME;
