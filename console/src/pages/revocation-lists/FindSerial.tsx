import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { Field } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { Section } from '../../components/section/Section.tsx';
import { decimalOf, isListed } from './serial.ts';
import * as texts from './texts.ts';

interface FindSerialProps {
  readonly mount: string;
  readonly names: readonly string[];
  readonly serial: string;
  readonly onSerial: (serial: string) => void;
}

/** Finds a certificate in the CRLs by its serial number. */
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
    <Section title={texts.serialNumberLookup}>
      <Form
        action={texts.lookUp}
        isPrimary={false}
        off={decimalOf(typed) === undefined && texts.enterDecimalDigitsOr}
        onSubmit={() => onSerial(typed.trim())}
        done={
          isDone &&
          (on.length > 0
            ? texts.revokedTheSerialNumber(on.join(', '))
            : failed.length > 0
              ? texts.couldNotCheck(failed.join(', '))
              : texts.theSerialNumberIs(names.length === 1 ? texts.theCrl : texts.theCrls(names.length)))
        }
      >
        <Field
          label={texts.serialNumber}
          help={texts.asInTheCertificate}
          value={typed}
          onText={setTyped}
          spellCheck={false}
          autoComplete="off"
        />
      </Form>
    </Section>
  );
}
