import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { Dialog } from '../../components/dialog/Dialog.tsx';
import { Check } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { FileField } from '../../components/transfer/FileField.tsx';
import { Transfer } from '../../components/transfer/Transfer.tsx';
import { useUpload } from '../../components/transfer/transfer.ts';
import * as texts from './texts.ts';

interface UploadDialogProps {
  readonly workspaceId: string;
  readonly name: string;
  readonly onClose: () => void;
}

/** Uploads an archive and optionally starts a run. */
export function UploadDialog({ workspaceId, name, onClose }: UploadDialogProps) {
  const queries = useQueryClient();
  const transfer = useUpload();
  const [file, setFile] = useState<File | undefined>();
  const [starts, setStarts] = useState(true);
  const [speculative, setSpeculative] = useState(false);
  const [provisional, setProvisional] = useState(false);
  const send = useMutation({
    mutationFn: async (archive: File) => {
      const { data } = await workspaces.send('POST /workspaces/{workspace_id}/configuration-versions', {
        path: { workspace_id: workspaceId },
        body: {
          data: {
            type: 'configuration-versions',
            attributes: { 'auto-queue-runs': starts, speculative, provisional },
          },
        },
      });
      const address = data.attributes['upload-url'];
      if (address === null) throw new ApiError(0, texts.theServerReturnedNo, '');
      return transfer.send(address, archive);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: workspaces.key() }),
    onSuccess: (isSent) => {
      announce(isSent ? texts.configurationUploaded : texts.cancelledNothingWasStored);
      if (isSent) onClose();
    },
  });
  return (
    <Dialog title={texts.uploadAConfigurationTo(name)} onClose={transfer.progress ? transfer.cancel : onClose} wide>
      {transfer.progress ? (
        <Transfer what={file?.name ?? ''} progress={transfer.progress} onCancel={transfer.cancel} />
      ) : (
        <Form
          action={texts.upload}
          off={!file && texts.chooseAFileFirst}
          busy={send.isPending}
          fault={send.error}
          done={send.data === false && texts.cancelledNothingWasStored}
          onSubmit={() => file && send.mutate(file)}
          also={<Button onClick={onClose}>{texts.cancel}</Button>}
        >
          <FileField
            label={texts.archive}
            help={texts.aTarGzArchive}
            accept=".tar.gz,.tgz,application/gzip"
            file={file}
            onFile={(chosen) => {
              send.reset();
              setFile(chosen);
            }}
          />
          <Check label={texts.startARunAfter} checked={starts} onCheck={setStarts} />
          <Check
            label={texts.plansOnlySpeculative}
            help={texts.runsOfThisConfiguration}
            checked={speculative}
            onCheck={setSpeculative}
          />
          <Check
            label={texts.provisional}
            help={texts.becomesTheCurrentConfiguration}
            checked={provisional}
            onCheck={setProvisional}
          />
        </Form>
      )}
    </Dialog>
  );
}
