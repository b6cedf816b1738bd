import { useId } from 'react';

interface Props {
  /** The tensors that can be drawn, and the one that is. */
  readonly tensors: readonly string[];
  readonly tensor: string | null;
  readonly onTensor: (tensor: string) => void;
}

/** Which tensor is drawn. */
export function TensorPicker({ tensors, tensor, onTensor }: Props) {
  const id = useId();
  return (
    <span className="space-tensor">
      <label htmlFor={id}>Grid of</label>
      <select id={id} value={tensor ?? ''} onChange={(event) => onTensor(event.target.value)}>
        {tensors.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </span>
  );
}
