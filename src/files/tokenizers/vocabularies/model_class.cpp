#include "files/tokenizers/vocabularies/model_class.hpp"

#include <string>

namespace files {
namespace {

constexpr std::string_view end = "<|endoftext|>";

// Roles: bos, eos, unk, sep, pad, cls, mask.
constexpr ModelClass classes[] = {
    {",Bert,DistilBert,Electra,MobileBert,ConvBert,SqueezeBert,Lxmert,"
     "LayoutLM,LayoutLMv2,Realm,RetriBert,Splinter,DPRContextEncoder,DPRQuestionEncoder,DPRReader,",
     Form::bert,
     Around::cls_sep,
     {"", "", "[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"}},
    {",MPNet,",
     Form::bert,
     Around::cls_sep,
     {"<s>", "</s>", "[UNK]", "</s>", "<pad>", "<s>", "<mask>"}},
    {",Funnel,",
     Form::bert,
     Around::cls_sep,
     {"<s>", "</s>", "<unk>", "<sep>", "<pad>", "<cls>", "<mask>"}},
    {",GPT2,CodeGen,GPTNeoX,", Form::gpt2, Around::if_asked, {end, end, end, "", "", "", ""}},
    {",Roberta,Bart,Longformer,LED,Mvp,Luke,LayoutLMv3,MarkupLM,",
     Form::gpt2,
     Around::cls_sep,
     {"<s>", "</s>", "<unk>", "</s>", "<pad>", "<s>", "<mask>"}},
    {",Blenderbot,",
     Form::gpt2,
     Around::eos,
     {"<s>", "</s>", "<unk>", "</s>", "<pad>", "<s>", "<mask>"}},
    {",Deberta,",
     Form::gpt2,
     Around::cls_sep,
     {"[CLS]", "[SEP]", "[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"}},
    {",Whisper,", Form::gpt2, Around::whisper, {end, end, end, "", "", "", ""}},
    {",Qwen2,", Form::qwen2, Around::nothing, {"", end, end, "", end, "", ""}},
    {",CLIP,", Form::clip, Around::bos_eos, {"<|startoftext|>", end, end, "", end, "", ""}},
    {",OpenAIGPT,", Form::gpt1, Around::nothing, {"", "", "<unk>", "", "", "", ""}},
    {",Herbert,",
     Form::herbert,
     Around::cls_sep,
     {"", "", "<unk>", "</s>", "<pad>", "<s>", "<mask>"}},
};

}  // namespace

const ModelClass* class_named(std::string_view name) {
  if (name.ends_with("Fast")) name.remove_suffix(4);
  if (!name.ends_with("Tokenizer")) return nullptr;
  name.remove_suffix(9);
  const std::string wanted = ',' + std::string(name) + ',';
  for (const ModelClass& each : classes) {
    if (!name.empty() && each.names.find(wanted) != std::string_view::npos) return &each;
  }
  return nullptr;
}

const ModelClass& class_of(const Vocabulary& vocabulary, bool is_list, bool has_word_ends) {
  const auto has = [&](std::string_view token) { return id_of(vocabulary, token).has_value(); };
  const bool is_sentence = has("<s>") && has("</s>");
  const char* name = "GPT2Tokenizer";
  if (is_list)
    name = "BertTokenizer";
  else if (has_word_ends)
    name = has("<|startoftext|>") ? "CLIPTokenizer"
           : is_sentence          ? "HerbertTokenizer"
                                  : "OpenAIGPTTokenizer";
  else if (is_sentence)
    name = "RobertaTokenizer";
  else if (has("[CLS]") && has("[SEP]"))
    name = "DebertaTokenizer";
  return *class_named(name);
}

}  // namespace files
