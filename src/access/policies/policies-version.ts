/**
 * Number of changes to policies, as a part of other queries: a token lookup also reads it, so that the ACL cache can
 * be checked.
 */
export const POLICIES_VERSION = "(SELECT version FROM change_counter WHERE topic = 'policies')";
