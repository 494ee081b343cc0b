import { Check, Field, FieldGroup } from '../form/Field.tsx';
import type { Notification } from './scope.ts';
import * as texts from './texts.ts';

type Digest = Notification['attributes']['digest'];

/** Fields of a digest as typed. */
export interface DigestInput {
  readonly hour: string;
  readonly timeZone: string;
  readonly waitingHours: string;
}

/** Returns the fields for a stored digest. */
export function digestInput(digest: Digest): DigestInput | null {
  if (digest === null) return null;
  return {
    hour: String(digest.hour),
    timeZone: digest['time-zone'],
    waitingHours: String(digest['waiting-hours']),
  };
}

/** Returns the digest for the fields. The server refuses wrong numbers and time zones. */
export function digestOf(input: DigestInput | null): Digest {
  if (input === null) return null;
  const { hour, timeZone, waitingHours } = input;
  return { hour: Number(hour), 'time-zone': timeZone, 'waiting-hours': Number(waitingHours) };
}

const NEW = (): DigestInput => ({
  hour: '8',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
  waitingHours: '4',
});

interface DigestFieldsProps {
  /** Null for no digest. */
  readonly digest: DigestInput | null;
  readonly onDigest: (digest: DigestInput | null) => void;
}

/** Whether a notification sends a digest, and when. */
export function DigestFields({ digest, onDigest }: DigestFieldsProps) {
  return (
    <>
      <Check
        name="digest"
        label={texts.digest}
        help={texts.digestHelp}
        checked={digest !== null}
        onCheck={(isOn) => onDigest(isOn ? NEW() : null)}
      />
      {digest && (
        <FieldGroup label={texts.digest}>
          <Field
            name="hour"
            label={texts.hour}
            type="number"
            min={0}
            max={23}
            value={digest.hour}
            onText={(hour) => onDigest({ ...digest, hour })}
          />
          <Field
            name="time-zone"
            label={texts.timeZone}
            help={texts.timeZoneHelp}
            value={digest.timeZone}
            onText={(timeZone) => onDigest({ ...digest, timeZone })}
            autoComplete="off"
          />
          <Field
            name="waiting-hours"
            label={texts.waitingHours}
            type="number"
            min={0}
            max={720}
            value={digest.waitingHours}
            onText={(waitingHours) => onDigest({ ...digest, waitingHours })}
          />
        </FieldGroup>
      )}
    </>
  );
}
