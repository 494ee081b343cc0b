/** Structured fields of a log line. Never contain secrets. */
export type Facts = Readonly<Record<string, string | number | boolean>>;

/** Log of an agent, for its operator. */
export interface AgentLog {
  info(text: string, facts?: Facts): void;
  warn(text: string, facts?: Facts): void;
}
