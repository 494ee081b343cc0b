import { hostname } from 'node:os';

/** Numbers of the syslog facilities (RFC 5424 §6.2.1). */
const FACILITIES = {
  auth: 4,
  daemon: 3,
  authpriv: 10,
  local0: 16,
  local1: 17,
  local2: 18,
  local3: 19,
  local4: 20,
  local5: 21,
  local6: 22,
  local7: 23,
} as const;

export type Facility = keyof typeof FACILITIES;

const INFORMATIONAL = 6;
/** Pattern of the time at the start of an entry. */
const TIME = /^\{"time":"(\d{4}-[\d:.T-]{1,30}Z)"/;

/**
 * Builds an RFC 5424 message of an entry. MSG is the JSON in UTF-8, without a byte order mark, which would break JSON
 * parsers.
 */
export function message(line: string, facility: Facility): string {
  const priority = FACILITIES[facility] * 8 + INFORMATIONAL;
  const host =
    hostname()
      .replaceAll(/[^\x21-\x7e]/g, '')
      .slice(0, 255) || '-';
  const time = TIME.exec(line)?.[1] ?? new Date().toISOString();
  return `<${priority}>1 ${time} ${host} lockkeeper ${process.pid} audit - ${line.trimEnd()}`;
}

/** Adds the length prefix: octet counting (RFC 5425 §4.3, RFC 6587 §3.4.1). */
export function frame(line: string, facility: Facility): string {
  const text = message(line, facility);
  return `${Buffer.byteLength(text)} ${text}`;
}
