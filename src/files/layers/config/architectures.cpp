#include "files/layers/config/architectures.hpp"

#include <array>
#include <string>

namespace files {
namespace {

// As the models' own code has it: modeling_*.py of Hugging Face's transformers 4.56.
constexpr std::array table = {
    // Encoders; where pictures or sound are read, their patches or frames are the tokens.
    Architecture{.types =
                     ",bert,roberta,xlm-roberta,xlm-roberta-xl,camembert,electra,ernie,"
                     "distilbert,albert,mobilebert,rembert,splinter,megatron-bert,data2vec-text,"
                     "roberta-prelayernorm,ibert,nezha,qdqbert,tapas,markuplm,lxmert,"
                     "visual_bert,layoutlm,luke,deit,vit,vit_mae,vit_msn,dinov2,"
                     "dinov2_with_registers,dpt,yolos,ijepa,videomae,audio-spectrogram-"
                     "transformer,vivit,timesformer,wav2vec2,hubert,unispeech,unispeech-sat,"
                     "data2vec-audio,siglip,siglip2,chinese_clip,align,"
                     "idefics2,idefics3,smolvlm,internvl,"
                     // Their decoders look for things in a picture, all at the same time.
                     "detr,table-transformer,"},
    Architecture{.types = ",clip,clipseg,owlvit,owlv2,xclip,metaclip_2,", .sight = Sight::text},
    Architecture{.types = ",esm,", .positions = Positions::halves},
    Architecture{.types = ",modernbert,nomic_bert,eurobert,",
                 .sight = Sight::both,
                 .positions = Positions::halves},
    Architecture{.types = ",roformer,", .sight = Sight::both, .positions = Positions::pairs},
    // Encoders with decoders.
    Architecture{.types = ",bart,mbart,plbart,pegasus,blenderbot,blenderbot-small,marian,"
                          "m2m_100,nllb,nllb-moe,whisper,speech_to_text,trocr,"
                          "time_series_transformer,fsmt,",
                 .sight = Sight::decoder},
    Architecture{.types = ",t5,mt5,umt5,switch_transformers,pop2piano,udop,",
                 .sight = Sight::decoder,
                 .positions = Positions::relative,
                 .is_scaled = false},
    // Decoders.
    Architecture{.types = ",gpt2,openai-gpt,imagegpt,decision_transformer,gpt_bigcode,opt,xglm,"
                          "biogpt,bark,musicgen,musicgen_melody,"
                          // Hybrids, where other layers know the order.
                          "jamba,nemotron_h,",
                 .sight = Sight::back},
    Architecture{.types = ",gpt_neo,", .sight = Sight::back, .is_scaled = false},
    Architecture{.types = ",bloom,mpt,", .sight = Sight::back, .positions = Positions::alibi},
    Architecture{.types = ",llama,mistral,mixtral,ministral,starcoder2,phi3,phimoe,olmo,olmo2,"
                          "olmoe,granite,granitemoe,granitemoeshared,granitemoehybrid,falcon,"
                          "mllama,arcee,apertus,seed_oss,exaone,"
                          "internlm,internlm3,minicpm,dots1,codellama,csm,aria,",
                 .sight = Sight::back,
                 .positions = Positions::halves},
    Architecture{.types = ",gemma,",
                 .sight = Sight::back,
                 .positions = Positions::halves,
                 .norm_adds_one = true},
    Architecture{.types = ",qwen2,qwen2_moe,qwen2_vl,qwen2_5_vl,qwen2_audio,qwen3,qwen3_moe,",
                 .sight = Sight::back,
                 .positions = Positions::halves,
                 .window_is_asked = true},
    Architecture{.types = ",gemma2,",
                 .sight = Sight::back,
                 .positions = Positions::halves,
                 .full_layer = 2,
                 .norm_adds_one = true},
    Architecture{.types = ",gpt_oss,",
                 .sight = Sight::back,
                 .positions = Positions::halves,
                 .full_layer = 2},
    Architecture{.types = ",gemma3,",
                 .sight = Sight::back,
                 .positions = Positions::halves,
                 .full_layer = 6,
                 .norm_adds_one = true},
    Architecture{
        .types = ",olmo3,", .sight = Sight::back, .positions = Positions::halves, .full_layer = 4},
    Architecture{.types = ",smollm3,",
                 .sight = Sight::back,
                 .positions = Positions::halves,
                 .window_is_asked = true},
    Architecture{.types = ",exaone4,",
                 .sight = Sight::back,
                 .positions = Positions::halves,
                 .full_layer = 4,
                 .rope_in_windows = true},
    Architecture{.types = ",phi,persimmon,nemotron,",
                 .sight = Sight::back,
                 .positions = Positions::halves,
                 .rotary_part = 0.5F},
    Architecture{.types = ",gpt_neox,stablelm,",
                 .sight = Sight::back,
                 .positions = Positions::halves,
                 .rotary_part = 0.25F},
    Architecture{.types = ",cohere2,",
                 .sight = Sight::back,
                 .positions = Positions::pairs,
                 .full_layer = 4,
                 .rope_in_windows = true},
    Architecture{.types = ",gptj,cohere,ernie4_5,helium,",
                 .sight = Sight::back,
                 .positions = Positions::pairs},
    Architecture{.types = ",glm,glm4,",
                 .sight = Sight::back,
                 .positions = Positions::pairs,
                 .rotary_part = 0.5F},
    Architecture{.types = ",gpt_neox_japanese,codegen,chatglm,llama4,llama4_vision,deepseek_v2,"
                          "deepseek_v3,longformer,led,big_bird,deberta,deberta-v2,convbert,yoso,"
                          "nystromformer,mra,lilt,layoutlmv2,layoutlmv3,swinv2,segformer,"
                          "qwen2_vl_vision,qwen2_5_vl_vision,pixtral,diffllama,doge,zamba,zamba2,"
                          "bamba,mpnet,reformer,canine,qwen3_next,seamless_m4t,wav2vec2-conformer,"
                          "wav2vec2-bert,xlnet,transfo-xl,funnel,patchtst,gemma3n,"
                          "beit,data2vec-vision,donut-swin,maskformer-swin,conditional_detr,wavlm,"
                          "dinov3_vit,lfm2,",
                 .is_computed = false},
    Architecture{.types = ",swin,", .positions = Positions::relative},
};

const Architecture* row_of(std::string_view type) {
  const std::string whole = ',' + std::string(type) + ',';
  for (const Architecture& row : table) {
    if (row.types.find(whole) != std::string_view::npos) return &row;
  }
  return nullptr;
}

}  // namespace

const Architecture* architecture_of(std::string_view model_type) {
  if (model_type.empty() || model_type.find(',') != std::string_view::npos) return nullptr;
  const Architecture* row = row_of(model_type);
  for (const std::string_view ending :
       {"_model", "_text", "_vision", "_audio", "_encoder", "_decoder"}) {
    if (row != nullptr || !model_type.ends_with(ending)) continue;
    model_type.remove_suffix(ending.size());
    row = row_of(model_type);
    // "qwen2_audio_encoder" is what listens for "qwen2_audio", and no language model.
    const bool reads_text = ending == "_model" || ending == "_text" || ending == "_decoder";
    if (row != nullptr && !reads_text && row->sight == Sight::back) return nullptr;
  }
  return row;
}

}  // namespace files
