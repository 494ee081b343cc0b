/** Help of one command beyond its description and options. */
export interface HelpEntry {
  /** Command lines that work as they are, after the names are replaced. */
  readonly examples: readonly string[];
  /** Page of the documentation, below `docs/`. Default: that of the command above it. */
  readonly guide?: string;
}

/** Help entries by the path of the command: `workspace list`. */
export type HelpEntries = Readonly<Record<string, HelpEntry>>;
