/**
 * How large the document of a workspace gets: below 150 KB, and mostly a few. Whatever there can be many of has a bound
 * here, or where it is written. What is above one already stays, is shown, and can be taken away.
 */

/**
 * Flat tags of one workspace.
 * @limit flat tags of a workspace, tags -> 422
 */
export const MAX_TAGS = 200;
/**
 * Characters of the names of those together.
 * @limit their names together, characters -> 422
 */
export const MAX_TAG_CHARACTERS = 10_000;
/**
 * Bytes of the trigger patterns, or the trigger prefixes, of one workspace as JSON.
 * @limit trigger patterns or prefixes of a workspace, as JSON, bytes -> 422
 */
export const MAX_TRIGGER_BYTES = 16_384;
/**
 * Outputs that the document points at, or brings along; all of them are listed under the link of the relationship.
 * @limit outputs that a workspace or a state points at, outputs -> the others are behind the link
 */
export const MAX_OUTPUTS_SHOWN = 200;
