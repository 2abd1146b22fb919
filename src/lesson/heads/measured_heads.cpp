#include "lesson/heads/measured_heads.hpp"

#include <algorithm>

#include "model/roles.hpp"

namespace lesson {

using base::fail;
using base::Result;

Result<SharesOfHeads> measure_heads(const translation::Translator& translator,
                                    const std::vector<translation::HeldOut>& sentences,
                                    std::size_t count) {
  std::map<std::string, std::vector<HeadMeasure>> measures;
  for (std::size_t i = 0; i < std::min(count, sentences.size()); ++i) {
    const auto made = translator.translate(sentences[i].source);
    if (!made) return fail(made.error());
    const auto traces = translator.trace(*made);
    if (!traces) return fail(traces.error());
    for (const model::Trace& trace : *traces) {
      if (!trace.name.ends_with("_attention")) continue;
      const tensor::Tensor weights = trace[model::roles::weights].select(0, 0);
      std::vector<HeadMeasure>& of_attention = measures[trace.name];
      of_attention.resize(weights.dim(0));
      for (std::size_t head = 0; head < weights.dim(0); ++head)
        of_attention[head].add(weights.select(0, head), trace.name.ends_with(".self_attention"));
    }
  }
  SharesOfHeads shares;
  for (const auto& [name, of_attention] : measures) {
    for (const HeadMeasure& measure : of_attention) shares[name].push_back(measure.shares());
  }
  return shares;
}

}  // namespace lesson
