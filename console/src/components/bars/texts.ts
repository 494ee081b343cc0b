/** Texts of the bars component. */
export const texts = {
  upTo: (most: string) => `up to ${most}`,
};
