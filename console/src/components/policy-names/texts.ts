/** Texts of the policy names component. */
export const texts = {
  none: 'none',
};
