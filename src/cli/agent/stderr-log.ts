import type { AgentLog, Facts } from '../../runner/index.ts';

/** The log of an agent: lines for people on a terminal, else lines of JSON. */
export function stderrLog(): AgentLog {
  // Whoever read it may be gone: the agent goes on.
  process.stderr.on('error', () => {});
  const line = process.stderr.isTTY ? forPeople : asJson;
  const write = (level: string, text: string, facts: Facts): void => {
    process.stderr.write(`${line(level, text, facts)}\n`);
  };
  return {
    info: (text, facts = {}) => write('info', text, facts),
    warn: (text, facts = {}) => write('warn', text, facts),
  };
}

const asJson = (level: string, msg: string, facts: Facts): string =>
  JSON.stringify({ level, time: new Date().toISOString(), msg, ...facts });

function forPeople(level: string, text: string, facts: Facts): string {
  const beside = Object.entries(facts).map(([name, value]) => ` ${name}=${value}`);
  return `${new Date().toISOString()} ${level === 'warn' ? 'WARNING ' : ''}${text}${beside.join('')}`;
}
