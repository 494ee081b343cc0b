/*
 * Bounds of what an agent and its server hand to each other for a job. Both sides read them here: what one of them gives, the other takes.
 */

/** @limit the archive of a configuration version, bytes -> 413; a run of it fails, and says so */
export const MAX_CONFIGURATION = 268_435_456;
/** @limit a plan as JSON, its redacted form, or its schemas, bytes -> the run fails, and says so; 413 */
export const MAX_PLAN_JSON = 134_217_728;
/** @limit the folder that a plan leaves to its apply, packed, bytes -> the run fails, and says so; 413 */
export const MAX_PLAN_FOLDER = 536_870_912;
/** @limit the state of a workspace in a run, or one that could not be stored as such, bytes -> it is not handed over, and the run says so; 413 */
export const MAX_JOB_STATE = 268_435_456;
/** @limit the log of a phase, bytes -> the log says that it is cut, and what follows is dropped */
export const MAX_LOG = 16_777_216;
/**
 * Less than MAX_LOG, so that the last words of the agent fit.
 * @limit the log of a plan or an apply that an agent sends, bytes -> it is cut, and says so; the run goes on
 */
export const MAX_AGENT_LOG = MAX_LOG - 65_536;
/** @limit a piece of a log that is sent at once, bytes -> the rest is the next piece; 413 */
export const MAX_LOG_PIECE = 262_144;
/** @limit steps of a job that are timed for a trace, steps -> others are not reported; 422 */
export const MOST_TIMED_STEPS = 100;
