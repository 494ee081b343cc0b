/** Splits a list of names from one field: `a, b`. */
export const namesIn = (text: string): readonly string[] =>
  text
    .split(/[,\s]+/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
