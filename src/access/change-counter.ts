/**
 * How often what is kept in memory has changed, as part of another query: whoever looks up a token looks up what it may do next.
 */
export const POLICIES_VERSION = "(SELECT version FROM change_counter WHERE topic = 'policies')";

/** Of entities and groups, as far as they say what somebody may do. Logins do not change it. */
export const IDENTITY_VERSION = "(SELECT version FROM change_counter WHERE topic = 'identity')";
