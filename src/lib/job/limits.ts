/*
 * Limits of the data that an agent and its server exchange for a job. Both sides use the same constants, so that each
 * side accepts whatever the other sends.
 */

/** @limit the archive of a configuration version, bytes -> 413; its run fails with an error */
export const MAX_CONFIGURATION = 268_435_456;
/** @limit a plan as JSON, its redacted form, or its provider schemas, bytes -> 413; the run fails with an error */
export const MAX_PLAN_JSON = 134_217_728;
/** @limit the packed folder that a plan saves for its apply, bytes -> 413; the run fails with an error */
export const MAX_PLAN_FOLDER = 536_870_912;
/**
 * @limit the state of a workspace in a run, or a state that could not be stored, bytes -> 413; the state is not
 * uploaded, and the run's log says so
 */
export const MAX_JOB_STATE = 268_435_456;
/** @limit the log of a phase, bytes -> the log is truncated with a note */
export const MAX_LOG = 16_777_216;
/**
 * Less than MAX_LOG, which leaves space for the last messages of the agent.
 * @limit the log of a plan or an apply that an agent sends, bytes -> the log is truncated with a note; the run
 * continues
 */
export const MAX_AGENT_LOG = MAX_LOG - 65_536;
/** @limit a piece of a log in one request, bytes -> the agent sends the rest in the next piece; 413 */
export const MAX_LOG_PIECE = 262_144;
/** @limit timed steps of a job in a trace, steps -> further steps are not reported; 422 */
export const MOST_TIMED_STEPS = 100;
