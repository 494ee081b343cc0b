/**
 * Writes the alert rules and the dashboard (docs/operations/monitoring/) and docs/reference/metrics.md from what stands in
 * docs/monitoring/: `node docs/generate-monitoring.ts`.
 */
import { writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { ALERT_GROUPS, runbookOf } from './monitoring/alerts.ts';
import { dashboard } from './monitoring/dashboard.ts';
import { SUBJECTS } from './monitoring/metrics.ts';

const MADE = 'Made by `node docs/generate-monitoring.ts`; do not edit by hand.';

/** For Prometheus: `rule_files`. */
export function alertRules(): string {
  const groups = ALERT_GROUPS.map(({ name, alerts }) => ({
    name,
    rules: alerts.map((alert) => ({
      ...{ alert: alert.name, expr: alert.expr, for: alert.for, labels: { severity: alert.severity } },
      annotations: { summary: alert.summary, runbook_url: runbookOf(alert) },
    })),
  }));
  return `# ${MADE}\n${stringify({ groups }, { lineWidth: 0 })}`;
}

export function dashboardFile(): string {
  return `${JSON.stringify(dashboard(), null, 2)}\n`;
}

export function metricsPage(): string {
  const sections = SUBJECTS.map(({ title, about, metrics }) => {
    const rows = metrics.map(({ name, type, labels, help }) => {
      const shown = labels.map((label) => `\`${label}\``).join(', ');
      return `| \`${name}\` | ${type} | ${shown} | ${help.replaceAll('|', '\\|')} |`;
    });
    return `## ${title}\n\n${about}\n\n| Metric | Type | Labels | What it says |\n|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Metrics

${MADE}

What \`GET /metrics\` tells, where a listener has the service \`metrics\`. How to scrape it, and what to be told of:
[Watch it](../operations/monitoring.md). Counters begin with 0 when a node starts; with [workers](../guides/workers.md) they are the sum of
all, and what one that has ended had counted stays counted. What is read from a database is read at most every ten seconds, in bounded
queries, and left out as long as the database does not answer.

${sections.join('\n')}`;
}

if (process.argv[1] === import.meta.filename) {
  const files = {
    'operations/monitoring/alerts.yaml': alertRules(),
    'operations/monitoring/dashboard.json': dashboardFile(),
    'reference/metrics.md': metricsPage(),
  };
  for (const [file, content] of Object.entries(files)) writeFileSync(new URL(file, import.meta.url), content);
  process.exit();
}
