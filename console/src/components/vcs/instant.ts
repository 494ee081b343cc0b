/** Converts a time of an event, `2026-11-27 06:49:46.686 +0000 UTC` as in HCP Terraform, to ISO 8601. */
export const instantOf = (time: string): string => time.replace(/^(\S+) (\S+) .*$/, '$1T$2Z');
