/** How often policies have changed, as part of another query: whoever looks up a token looks up what it may do next. */
export const POLICIES_VERSION = "(SELECT version FROM change_counter WHERE topic = 'policies')";
