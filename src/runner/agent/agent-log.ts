/** Facts beside a line of the log: never a secret. */
export type Facts = Readonly<Record<string, string | number | boolean>>;

/** What an agent says of itself, to whoever runs it. */
export interface AgentLog {
  info(text: string, facts?: Facts): void;
  warn(text: string, facts?: Facts): void;
}
