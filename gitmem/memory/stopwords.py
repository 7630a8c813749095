"""Words that say little about what a question is about.

Every entry is a term as ``words`` makes it: an English stem, a CJK pair.
Hot: constants only.
"""

from __future__ import annotations

# Dropped from a question.
STOP = frozenset(
    """
    a about after again all also am an and any are as at be becaus been befor being below both but by
    can could did do doe doing don down dur each few for from further had has hav he her him his how i
    if in into is isn it its itself just me mor most my no nor not now of off on onc onli or other our
    out over own sam shall she should so som such than that the their them then ther thes they this
    thos through to too under until up upon us veri was we wer what whatever when wher which whil who
    whom whos why will with within without would you your s t d ll m re ve ca couldn didn doesn hadn
    hasn haven ain aren wasn weren wouldn shouldn wo 的 了 吗 呢 吧 啊 呀 嘛 是 在 我 你 他 她 它 有
    和 与 或 不 也 都 就 は が を に で と も の へ か や よ ね 이 그 저 것 수 을 를 은 는 가 도 에 의
    와 과 안
    """.split()  # noqa: SIM905 - nine hundred quotes would hide the words
)

# Held by every second prompt to an agent, in English, Chinese, Japanese and Korean: as evidence they
# count GENERIC_WEIGHT, so that "fix the tests" recalls nothing.
GENERIC_WEIGHT = 0.2
_WORDS = """
    fix test run add writ cod fil function chang updat mak try commit push pull request review open
    clos explain show help pleas thank ok okay yes yeah yep nop sur good great nic cool awesom perfect
    fin right wrong look next step continu go proc keep stop undo redo revert last previous tell giv
    need want lik think know understand summariz summaris summari clean refactor renam variabl fast
    faster slow simpl format reformat install dependenci error fail failur break work use using used
    creat implement generat build issu bug problem thing stuff lin method class comment correct check
    verifi read find search list print mov remov delet replac rewrit improv optimiz optimis lint
    linter readm doc document documentation diff branch merg start begin finish readi let get set put
    see say ask answer question new old first second one two thre bit lot much mani real actual mayb
    another everyth someth anyth noth everyon someon alway never ever still alreadi yet soon later
    today tomorrow yesterday call nam folder directori script program command output input result valu
    typ exampl describ defin detail plan idea way kind sort hello hi hey bye goodbi welcom sorri mean
    exit quit well differenc between compar convert translat draw long happen abl possibl different tim day part
    plac peopl person
    继续 谢谢 好的 运行 行测 测试 修复 复这 这个 个问 问题 再试 试一 一次 提交 交代 代码 解释 释一
    一下 下这 这段 段代 下一 一步 步做 做什 什么 写个 写一 单元 元测 帮我 我看 看看 帮忙 不对 重新
    新来 可以 以了 以吗 优化 化一 今天 天气 气怎 怎么 么样 么做 你好 格式 式化 化这 文件 更新 新文
    文档 这是 是什 么意 意思 总结 结一 下你 你做 做了 了什 为什 么是 么会 么不 么这 么那 哪个 哪里
    哪些 哪年 哪一 哪种 哪位 哪家 哪几 在哪 是哪 有哪 多少 少是 是多 如何 何时 何处 怎样 样的 是否
    请问 问一 是不 不是 有没 没有 能不 不能 能否 么时 时候 候的 么办 告诉 诉我 我们 你们 他们 一个
    个是 多久 几个 几年 谁是 是谁 由谁 最后 然后 现在 已经 还是 以及 或者 需要 应该 该怎 该用 该返
    要不 不要 请你 请帮 给我 我一 检查 修改 改一 添加 加一 删除 创建 实现 生成 安装 打开 看一 说明
    介绍 绍一 知道 认为 觉得 使用 用什 用哪 这样 那个 这里 里的 什麼 麼樣 怎麼 謝謝 繼續 一些 进行
    开始 结束 完成 完了 就是 但是 因为 所以 如果 属于 位于 之一 方法 办法 名字 叫什 的是 了吗 的吗
    对吗 好吗 么名
    して てく くだ ださ さい 続け けて もう う一 一度 度や やっ って これ れを を修 修正 正し 次は
    は何 何を をす する お願 願い いし しま ます 了解 解で です あり りが がと とう 教え えて を教
    説明 明し コー ード テス スト 実行 行し をし 今日 天気 気は の天 どう なぜ どこ いつ だれ 誰が
    誰で でき きま ませ せん ない とは 何か どの どん んな よう うに ため なに 何で 何と 何が 何年
    のは はど は誰 すか ました した いう とい ある いる いま ください ファ ァイ イル 関数 変更 追加
    削除 作成 書い いて 見せ せて 確認 認し 直し 更新 それ その この ここ こと もの れは はい いい
    いえ どれ れで ばい いで から まで 何の 何人 何に に何 名前 前は か教 てい たの なの のか
    계속 속해 고마 마워 테스 스트 실행 행해 해줘 다시 해봐 이거 거고 고쳐 쳐줘 다음 음은 뭐야 좋아
    오늘 날씨 어때 코드 설명 명해 커밋 밋해 알려 려줘 하나 나요 인가 가요 무엇 엇인 어떻 떻게 누가
    누구 언제 어디 어느 어떤 해요 하세 세요 주세 니다 합니 습니 입니 는데 었지 뭐였 였지 니까 이것
    그것 저것 파일 수정 변경 추가 삭제 작성 만들 들어 어줘 보여 여줘 확인 인해 업데 데이 이트 안녕
    감사 사합 네요 그래 아니 몇 년 무슨 것은 은무 하는 에서 으로 있는 했나 했는 는가 이다 다른 이름
    지금 부탁 탁해
    시작 작해 완벽 벽해 도와 와줘 동의 신경 변수 바꿔 꿔줘 문서 서를 개선 선해 정리 리해 일을 똑같 결과 과를
    트를 드를 그를 돌려
    """.split()  # noqa: SIM905 - nine hundred quotes would hide the words
# An answer to "which of these?" is a number or a letter.
GENERIC = frozenset([*_WORDS, *map(str, range(100)), *"abcdefghijklmnopqrstuvwxyz"])

# Words of other languages in Latin letters, and of no English text: a question that holds one is weighed by
# the words of those languages (stopwords_other.py).
FOREIGN = frozenset(
    """
    continua geri actualiza empieza significa comec ainda atualiz commenc toujour aktualisier immer einverstanden
    egal comincia aggiorna ancora mulay masih perbaruy sorun sama tidak las una uno del que por para entr hasta desd
    como cuando dond quien cual porqu pero muy mas tampoco estoy eso esto ese esa hacer haz hazlo hecho pued quiero
    tengo tien gracia mucha continuar sigu adelant intenta nuevo nueva bien otra arregla corrig siguient paso
    ejecuta prueba primera explica parec hola escrib muestra archivo deshaz bueno espera entiendo cambio tarea
    trabajo borra funciona ayuda crea listo um uma das nas ao aos sem quem mais isso isto faz fazer obrigado
    obrigada novo certo errado corrija consert passo jeito primeira expliqu acha escreva mostr arquivo tudo bem
    esper momento tarefa apagu verifiqu ajud siga une les oui avec pour sous combien pourquoy quel donc pas moin
    aussi sont avoir cett ces nous vous je tu moi beaucoup erreur suivant relanc lanc bonjour montr fichier comprend
    ajout supprim fais und oder nicht kein einen einem einer sind auf aus bei nach vom zum zur ich mich dich euch
    mein dein noch einmal schon doch ja nein jetzt dann wenn weil dass der dies weiter mach machen macht gemacht
    bitt dank vielen versuch nochmal richtig falsch fehler beheb reparier warum wieso nimm stopp meinst hallo
    schreib zeig ordnung sehr kommentar aufgab arbeit frag hilf genau gli dello della dei degli alla dal nel nella
    sul sulla che cosa qual molto anch sono esser hai hanno grazi prova riprova nuovo volta ben sbagliato correggi
    succed prossimo eseguy fermati spiegami ciao scrivi fatto fallo mostrami annulla ottimo aspetta capisco aggiungi
    modifich compito lavoro cancella controlla questo questa puoy het een ik jij wij niet geen ook maar voor naar
    dez dit verder doorgaan bedankt alsjeblieft probeer opnieuw nie jest czy dlaczego kontynuuj dalej dobrz popraw
    napraw dengan ini itu bukan jangan akan sudah belum bisa dapat saya kamu apa kenapa bagaimana lanjutkan lanjut
    teruskan terima kasih tolong coba benar betul salah perbaiki berikutnya selanjutnya jalankan pakay gunakan
    pertama berhenti jelaskan halo tulis tunjukkan batalkan baiklah baik bagus tunggu tambahkan hapus periksa
    masalahnya kerja lagi sekali bir neden nered hangi bana benim devam tekrar kullan bekl merhaba selam yaz yap
    tamam iyi harika aferin biraz el la le il est ist di
    """.split()  # noqa: SIM905 - four hundred quotes would hide the words
)
