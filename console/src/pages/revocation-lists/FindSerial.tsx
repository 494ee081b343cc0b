import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { Field } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { Section } from '../../components/section/Section.tsx';
import { decimalOf, isListed } from './serial.ts';

interface FindSerialProps {
  readonly mount: string;
  readonly names: readonly string[];
  readonly serial: string;
  readonly onSerial: (serial: string) => void;
}

/** Whether a certificate is on one of the lists, by its serial number. */
export function FindSerial({ mount, names, serial, onSerial }: FindSerialProps) {
  const [typed, setTyped] = useState(serial);
  const wanted = decimalOf(serial);
  const found = useQueries({
    queries: names.map((name) => ({
      queryKey: ['serial', mount, name, wanted],
      queryFn: () => (wanted === undefined ? false : isListed(mount, name, wanted)),
      enabled: wanted !== undefined,
    })),
  });
  const on = names.filter((_, at) => found[at]?.data === true);
  const isDone = wanted !== undefined && found.every(({ isPending }) => !isPending);
  const failed = names.filter((_, at) => found[at]?.error);
  return (
    <Section title="Look up a serial number">
      <Form
        action="Look it up"
        isPrimary={false}
        off={decimalOf(typed) === undefined && 'Decimal digits, or hexadecimal ones with colons'}
        onSubmit={() => onSerial(typed.trim())}
        done={
          isDone &&
          (on.length > 0
            ? `It is on ${on.join(', ')}: revoked.`
            : failed.length > 0
              ? `Could not be asked: ${failed.join(', ')}.`
              : `It is on none of ${names.length === 1 ? 'the list' : `the ${names.length} lists`}.`)
        }
      >
        <Field
          label="Serial number"
          help="As the certificate has it: 7104…, or 62:9b:…"
          value={typed}
          onText={setTyped}
          spellCheck={false}
          autoComplete="off"
        />
      </Form>
    </Section>
  );
}
