import type { AgentLog, Facts } from '../../runner/index.ts';

/** Log of an agent: plain lines on a terminal, JSON lines otherwise. */
export function stderrLog(): AgentLog {
  // The reader of the pipe may have exited. The agent continues.
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
