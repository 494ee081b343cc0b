/** Types of retention policies, with the names of the API. The last one is an older name of the first. */
export const POLICY_TYPES = [
  'data-retention-policy-delete-olders',
  'data-retention-policy-dont-deletes',
  'data-retention-policies',
] as const;
/** Type of a retention policy. */
export type PolicyType = (typeof POLICY_TYPES)[number];
