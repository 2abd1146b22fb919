// All of this compiles.
import 'attention-live';
import type { AttentionLiveElement, AttentionLiveStep } from 'attention-live';
import { useRef, useState } from 'react';

export function Figure() {
  const figure = useRef<AttentionLiveElement>(null);
  const [step, setStep] = useState<AttentionLiveStep>('split');
  const [sentence, setSentence] = useState('');
  return (
    <section>
      <attention-live
        ref={figure} id="fig-1" className="wide" style={{ height: 400 }} example="counting" step="softmax" head="all"
        query={2} autoplay
        onstepchange={(event) => setStep(event.detail.step)}
        onerror={(event) => setSentence(event.detail.message)}
        oncellhover={(event) => event.detail.cell?.index.join()}
      >
        <p>A figure.</p>
      </attention-live>
      <button onClick={() => figure.current?.setState({ step: 'scores' })}>{step}</button> {sentence}
    </section>
  );
}
