/**
 * Limits that bound the document of a workspace: below 150 KB, and mostly a few. Every collection has a limit, here or
 * in its module. Data that exceeded a limit before it was introduced stays visible and can be removed.
 */

/**
 * Maximum number of flat tags of one workspace.
 * @limit flat tags of a workspace, tags -> 422
 */
export const MAX_TAGS = 200;
/**
 * Maximum length of the names of all flat tags of one workspace together.
 * @limit names of all flat tags of a workspace, characters -> 422
 */
export const MAX_TAG_CHARACTERS = 10_000;
/**
 * Maximum size of the trigger patterns, or of the trigger prefixes, of one workspace as JSON.
 * @limit trigger patterns or prefixes of a workspace, as JSON, bytes -> 422
 */
export const MAX_TRIGGER_BYTES = 16_384;
/**
 * Maximum number of outputs that a document links or includes. The link of the relationship lists all of them.
 * @limit outputs that a workspace or a state links, outputs -> the link of the relationship lists the others
 */
export const MAX_OUTPUTS_SHOWN = 200;
