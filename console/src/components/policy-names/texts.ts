/** Texts of the policy names component. */
export const none = 'none';
