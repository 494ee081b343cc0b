/** Shortens a text to a number of characters; an ellipsis is the last of them. */
export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}
