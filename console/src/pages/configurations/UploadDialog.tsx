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

interface UploadDialogProps {
  readonly workspaceId: string;
  readonly name: string;
  readonly onClose: () => void;
}

/** Sends an archive, and starts a run of it where that is wanted. */
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
      if (address === null) throw new ApiError(0, 'the server gave no address for the archive', '');
      return transfer.send(address, archive);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: workspaces.key() }),
    onSuccess: (isSent) => {
      announce(isSent ? 'The configuration is stored' : 'Cancelled: nothing was stored');
      if (isSent) onClose();
    },
  });
  return (
    <Dialog title={`Upload a configuration to ${name}`} onClose={transfer.progress ? transfer.cancel : onClose} wide>
      {transfer.progress ? (
        <Transfer what={file?.name ?? ''} progress={transfer.progress} onCancel={transfer.cancel} />
      ) : (
        <Form
          action="Upload"
          off={!file && 'Choose a file first'}
          busy={send.isPending}
          fault={send.error}
          done={send.data === false && 'Cancelled: nothing was stored.'}
          onSubmit={() => file && send.mutate(file)}
          also={<Button onClick={onClose}>Cancel</Button>}
        >
          <FileField
            label="Archive"
            help="A tar.gz of the folder of the configuration: tar czf configuration.tar.gz -C FOLDER ."
            accept=".tar.gz,.tgz,application/gzip"
            file={file}
            onFile={(chosen) => {
              send.reset();
              setFile(chosen);
            }}
          />
          <Check label="Start a run once it is there" checked={starts} onCheck={setStarts} />
          <Check
            label="For plans only"
            help="Its runs cannot be applied."
            checked={speculative}
            onCheck={setSpeculative}
          />
          <Check
            label="Provisional"
            help="It becomes the current one when a run of it is applied, and not before."
            checked={provisional}
            onCheck={setProvisional}
          />
        </Form>
      )}
    </Dialog>
  );
}
