/** Texts of the chip component. */
export const texts = {
  removeFilter: (name: string) => `Remove filter: ${name}`,
};
