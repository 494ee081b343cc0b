/** Texts of the bars component. */
export const upTo = (most: string) => `up to ${most}`;
